"""Output of ping: the round trip that bounds what one TCP window can carry."""

from __future__ import annotations

import pytest

from agtrace.readers.ping import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds, read_all
from simulation.formats.host_facts import ping_text, text_of
from tests.effort import thorough
from tests.folded import folded
from tests.readers.real_texts import real_texts

JBSAG3 = ping_text("JBSAG3.contoso.com", "10.2.0.4", [182, None, 0, 111])

LINUX = """PING jbsag3.contoso.com (10.2.0.4) 56(84) bytes of data.
64 bytes from 10.2.0.4: icmp_seq=1 ttl=118 time=182 ms
64 bytes from jbsag3 (10.2.0.4): icmp_seq=3 ttl=118 time=181.3 ms

--- jbsag3.contoso.com ping statistics ---
3 packets transmitted, 2 received, 33.3333% packet loss, time 2004ms
rtt min/avg/max/mdev = 181.300/181.650/182.000/0.350 ms
"""

DOUBLED = """PING jbsag3.contoso.com (10.2.0.4) from 10.1.0.9 eth0: 56(84) bytes of data.
64 bytes from 10.2.0.4: icmp_seq=1 ttl=118 time=20.0 ms
64 bytes from 10.2.0.4: icmp_seq=1 ttl=118 time=24.0 ms (DUP!)
From 10.1.0.1 icmp_seq=2 Destination Host Unreachable

--- jbsag3.contoso.com ping statistics ---
2 packets transmitted, 1 received, +1 duplicates, +1 errors, 50% packet loss, time 1004ms
rtt min/avg/max/mdev = 20.000/22.000/24.000/2.000 ms
"""

MACOS6 = """PING6(56=40+8+8 bytes) fd00::1:9%en0 --> fd00::2:4
16 bytes from fd00::2:4, icmp_seq=0 hlim=64 time=0.402 ms
16 bytes from fd00::2:4, icmp_seq=1 hlim=64 time=0.502 ms

--- jbsag3.contoso.com ping6 statistics ---
2 packets transmitted, 2 packets received, 0.0% packet loss
round-trip min/avg/max/std-dev = 0.402/0.452/0.502/0.050 ms
"""

# Announcement, replies and summary as Windows prints them in other languages.
LANGUAGES = {
    "German": """
Ping wird ausgeführt für jbsag3.contoso.com [10.2.0.4] mit 32 Bytes Daten:
Antwort von 10.2.0.4: Bytes=32 Zeit=12ms TTL=118
Antwort von 10.2.0.4: Bytes=32 Zeit=14ms TTL=118
Zeitüberschreitung der Anforderung.

Ping-Statistik für 10.2.0.4:
    Pakete: Gesendet = 3, Empfangen = 2, Verloren = 1
    (33% Verlust),
Ca. Zeitangaben in Millisek.:
    Minimum = 12ms, Maximum = 14ms, Mittelwert = 13ms
""",
    "French": """
Envoi d'une requête 'ping' sur jbsag3.contoso.com [10.2.0.4] avec 32 octets de données :
Réponse de 10.2.0.4 : octets=32 temps=12 ms TTL=118
Réponse de 10.2.0.4 : octets=32 temps=14 ms TTL=118
Délai d'attente de la demande dépassé.

Statistiques Ping pour 10.2.0.4:
    Paquets : envoyés = 3, reçus = 2, perdus = 1 (perte 33%),
Durée approximative des boucles en millisecondes :
    Minimum = 12ms, Maximum = 14ms, Moyenne = 13ms
""",
    "Spanish": """
Haciendo ping a jbsag3.contoso.com [10.2.0.4] con 32 bytes de datos:
Respuesta desde 10.2.0.4: bytes=32 tiempo=12ms TTL=118
Respuesta desde 10.2.0.4: bytes=32 tiempo=14ms TTL=118
Tiempo de espera agotado para esta solicitud.

Estadísticas de ping para 10.2.0.4:
    Paquetes: enviados = 3, recibidos = 2, perdidos = 1
    (33% perdidos),
Tiempos aproximados de ida y vuelta en milisegundos:
    Mínimo = 12ms, Máximo = 14ms, Media = 13ms
""",
    "Italian": """
Esecuzione di Ping jbsag3.contoso.com [10.2.0.4] con 32 byte di dati:
Risposta da 10.2.0.4: byte=32 durata=12ms TTL=118
Risposta da 10.2.0.4: byte=32 durata=14ms TTL=118
Richiesta scaduta.

Statistiche Ping per 10.2.0.4:
    Pacchetti: Trasmessi = 3, Ricevuti = 2,
    Persi = 1 (33% persi),
Tempo approssimativo percorsi andata/ritorno in millisecondi:
    Minimo = 12ms, Massimo =  14ms, Medio =  13ms
""",
    "Portuguese": """
Disparando jbsag3.contoso.com [10.2.0.4] com 32 bytes de dados:
Resposta de 10.2.0.4: bytes=32 tempo=12ms TTL=118
Resposta de 10.2.0.4: bytes=32 tempo=14ms TTL=118
Esgotado o tempo limite do pedido.

Estatísticas do Ping para 10.2.0.4:
    Pacotes: Enviados = 3, Recebidos = 2, Perdidos = 1 (33% de
             perda),
Aproximar um número redondo de vezes em milissegundos:
    Mínimo = 12ms, Máximo = 14ms, Média = 13ms
""",
    "Russian": """
Обмен пакетами с jbsag3.contoso.com [10.2.0.4] с 32 байтами данных:
Ответ от 10.2.0.4: число байт=32 время=12мс TTL=118
Ответ от 10.2.0.4: число байт=32 время=14мс TTL=118
Превышен интервал ожидания для запроса.

Статистика Ping для 10.2.0.4:
    Пакетов: отправлено = 3, получено = 2, потеряно = 1
    (33% потерь)
Приблизительное время приема-передачи в мс:
    Минимальное = 12мсек, Максимальное = 14 мсек, Среднее = 13 мсек
""",
    "Chinese": """
正在 Ping jbsag3.contoso.com [10.2.0.4] 具有 32 字节的数据:
来自 10.2.0.4 的回复: 字节=32 时间=12ms TTL=118
来自 10.2.0.4 的回复: 字节=32 时间=14ms TTL=118
请求超时。

10.2.0.4 的 Ping 统计信息:
    数据包: 已发送 = 3，已接收 = 2，丢失 = 1 (33% 丢失)，
往返行程的估计时间(以毫秒为单位):
    最短 = 12ms，最长 = 14ms，平均 = 13ms
""",
    "Japanese": """
jbsag3.contoso.com [10.2.0.4]に ping を送信しています 32 バイトのデータ:
10.2.0.4 からの応答: バイト数 =32 時間 =12ms TTL=118
10.2.0.4 からの応答: バイト数 =32 時間 =14ms TTL=118
要求がタイムアウトしました。

10.2.0.4 の ping 統計:
    パケット数: 送信 = 3、受信 = 2、損失 = 1 (33% の損失)、
ラウンド トリップの概算時間 (ミリ秒):
    最小 = 12ms、最大 = 14ms、平均 = 13ms
""",
    "Turkish": """
jbsag3.contoso.com [10.2.0.4] ping ediliyor 32 bayt veri ile:
10.2.0.4 cevabı: bayt=32 süre=12ms TTL=118
10.2.0.4 cevabı: bayt=32 süre=14ms TTL=118
İstek zaman aşımına uğradı.

10.2.0.4 için Ping istatistiği:
    Paket: Giden = 3, Gelen = 2, Kaybolan = 1 (33% kayıp),
Mili saniye türünden yaklaşık tur süreleri:
    En Az = 12ms, En Çok = 14ms, Ortalama = 13ms
""",
    "Korean": """
Ping jbsag3.contoso.com [10.2.0.4] 32바이트 데이터 사용:
10.2.0.4의 응답: 바이트=32 시간=12ms TTL=118
10.2.0.4의 응답: 바이트=32 시간=14ms TTL=118
요청 시간이 만료되었습니다.

10.2.0.4에 대한 Ping 통계:
    패킷: 보냄 = 3, 받음 = 2, 손실 = 1 (33% 손실),
왕복 시간(밀리초):
    최소 = 12ms, 최대 = 14ms, 평균 = 13ms
""",
    "Polish": """
Badanie jbsag3.contoso.com [10.2.0.4] z 32 bajtami danych:
Odpowiedź z 10.2.0.4: bajtów=32 czas=12ms TTL=118
Odpowiedź z 10.2.0.4: bajtów=32 czas=14ms TTL=118
Upłynął limit czasu żądania.

Statystyka badania ping dla 10.2.0.4:
    Pakiety: Wysłane = 3, Odebrane = 2, Utracone = 1
             (33% straty),
Szacunkowy czas błądzenia pakietów w millisekundach:
    Minimum = 12 ms, Maksimum = 14 ms, Czas średni = 13 ms
""",
    "Czech": """
Příkaz PING na jbsag3.contoso.com [10.2.0.4] - 32 bajtů dat:
Odpověď od 10.2.0.4: bajty=32 čas=12ms TTL=118
Odpověď od 10.2.0.4: bajty=32 čas=14ms TTL=118
Vypršel časový limit žádosti.

Statistika ping pro 10.2.0.4:
    Pakety: Odeslané = 3, Přijaté = 2, Ztracené = 1 (ztráta 33%),
Přibližná doba do přijetí odezvy v milisekundách:
    Minimum = 12ms, Maximum = 14ms, Průměr = 13ms
""",
    "Hungarian": """
jbsag3.contoso.com [10.2.0.4] pingelése - 32 bájt adat:
Válasz 10.2.0.4: bájt=32 idő=12ms TTL=118
Válasz 10.2.0.4: bájt=32 idő=14ms TTL=118
A kérésre nem érkezett válasz a határidőn belül.

10.2.0.4 ping-statisztikája:
    Csomagok: küldött = 3, fogadott = 2, elveszett = 1
    (33% veszteség),
Oda-vissza út ideje közelítőlegesen, milliszekundumban:
    minimum = 12ms, maximum = 14ms, átlag = 13ms
""",
    "Dutch": """
Pingen naar jbsag3.contoso.com [10.2.0.4] met 32 bytes aan gegevens:
Antwoord van 10.2.0.4: bytes=32 tijd=12 ms TTL=118
Antwoord van 10.2.0.4: bytes=32 tijd=14 ms TTL=118
Time-out bij opdracht.

Ping-statistieken voor 10.2.0.4:
    Pakketten: verzonden = 3, ontvangen = 2, verloren = 1
    (33% verlies).
De gemiddelde tijd voor het uitvoeren van één bewerking in milliseconden:
    Minimum = 12ms, Maximum = 14ms, Gemiddelde = 13ms
""",
    "Swedish": """
Skickar ping-signal till jbsag3.contoso.com [10.2.0.4] med 32 byte data:
Svar från 10.2.0.4: byte=32 tid=12ms TTL=118
Svar från 10.2.0.4: byte=32 tid=14ms TTL=118
Begäran gjorde timeout.

Ping-statistik för 10.2.0.4:
    Paket: Skickade = 3, mottagna = 2, förlorade = 1 (33 %),
Ungefärlig överföringstid i millisekunder:
    Lägsta = 12 ms, högsta = 14 ms, medel = 13 ms
""",
    "Finnish": """
Ping-isäntä jbsag3.contoso.com [10.2.0.4] 32 tavulla tietoja:
Vastaus isännältä 10.2.0.4: tavuja=32 aika=12ms TTL=118
Vastaus isännältä 10.2.0.4: tavuja=32 aika=14ms TTL=118
Pyyntö aikakatkaistiin.

Ping-tilastot 10.2.0.4:
    Paketit: Lähetetty = 3, vastaanotettu = 2, kadonnut = 1
    (33% kadonnut),
Arvioitu kiertoaika millisekunteina:
    Pienin = 12ms, suurin = 14ms, keskiarvo = 13ms
""",
    "Danish": """
Pinger jbsag3.contoso.com [10.2.0.4] med 32 byte data:
Svar fra 10.2.0.4: byte=32 tid=12ms TTL=118
Svar fra 10.2.0.4: byte=32 tid=14ms TTL=118
Anmodningen fik timeout.

Ping-statistikker for 10.2.0.4:
    Pakker: Sendt = 3, modtaget = 2, tabt = 1 (33% tab),
Beregnet tid for rundtur i millisekunder:
    Minimum = 12ms, Maksimum = 14ms, Gennemsnitlig = 13ms
""",
    "Greek": """
Αποστολή Ping στο jbsag3.contoso.com [10.2.0.4] με 32 byte δεδομένων:
Απάντηση από: 10.2.0.4: byte=32 χρόνος=12ms TTL=118
Απάντηση από: 10.2.0.4: byte=32 χρόνος=14ms TTL=118
Εξαντλήθηκε το χρονικό όριο της αίτησης.

Στατιστικά στοιχεία Ping για 10.2.0.4:
    Πακέτα: Απεσταλμένα = 3, Ληφθέντα = 2, Απολεσθέντα = 1
    (απώλεια 33%),
Πλήθος διαδρομών αποστολής και επιστροφής κατά προσέγγιση σε χιλιοστά του δευτ.:
    Ελάχιστο = 12ms, Μέγιστο = 14ms, Μέσος όρος = 13ms
""",
    "Traditional Chinese": """
Ping jbsag3.contoso.com [10.2.0.4] (使用 32 位元組的資料):
回覆自 10.2.0.4: 位元組=32 時間=12ms TTL=118
回覆自 10.2.0.4: 位元組=32 時間=14ms TTL=118
要求等候逾時。

10.2.0.4 的 Ping 統計資料:
    封包: 已傳送 = 3，已收到 = 2, 已遺失 = 1 (33% 遺失)，
大約的來回時間 (毫秒):
    最小值 = 12ms，最大值 = 14ms，平均 = 13ms
""",
}

CONSOLE_PAGES = {
    "German": "cp850",
    "French": "cp850",
    "Spanish": "cp850",
    "Italian": "cp850",
    "Portuguese": "cp850",
    "Russian": "cp866",
    "Chinese": "cp936",
    "Japanese": "cp932",
    "Turkish": "cp857",
    "Korean": "cp949",
    "Polish": "cp852",
    "Czech": "cp852",
    "Hungarian": "cp852",
    "Dutch": "cp850",
    "Swedish": "cp850",
    "Finnish": "cp850",
    "Danish": "cp850",
    "Greek": "cp737",
    "Traditional Chinese": "cp950",
}

TRANSLATED = {
    "target": "jbsag3.contoso.com",
    "target_host": "JBSAG3",
    "address": "10.2.0.4",
    "payload_bytes": "32",
    "sent": "3",
    "received": "2",
    "lost": "1",
    "rtt_min_ms": "12",
    "rtt_avg_ms": "13",
    "rtt_max_ms": "14",
}


def test_windows():
    assert facts_of(READER, JBSAG3, "ping") == [
        {
            "target": "JBSAG3.contoso.com",
            "target_host": "JBSAG3",
            "address": "10.2.0.4",
            "payload_bytes": "32",
            "sent": "4",
            "received": "3",
            "lost": "1",
            "rtt_min_ms": "0",
            "rtt_avg_ms": "97",
            "rtt_max_ms": "182",
        }
    ]
    assert issue_kinds(READER, JBSAG3) == []


def test_rows_carry_line_and_unit():
    rows = read_all(READER, JBSAG3.encode(), "x")["facts"].to_pylist()
    units = {row["key"]: row["unit"] for row in rows}
    assert units["rtt_avg_ms"] == "ms"
    assert units["payload_bytes"] == "B"
    assert units["target"] is None
    assert {row["line"] for row in rows} == {2}


def test_linux():
    assert facts_of(READER, LINUX, "ping") == [
        {
            "target": "jbsag3.contoso.com",
            "target_host": "JBSAG3",
            "address": "10.2.0.4",
            "payload_bytes": "56",
            "sent": "3",
            "received": "2",
            "lost": "1",
            "rtt_min_ms": "181.300",
            "rtt_avg_ms": "181.650",
            "rtt_max_ms": "182.000",
            "rtt_deviation_ms": "0.350",
        }
    ]


def test_ping6_of_macos_names_its_target_in_the_summary():
    (found,) = facts_of(READER, MACOS6, "ping")
    assert (found["target"], found["target_host"], found["address"]) == (
        "jbsag3.contoso.com", "JBSAG3", "fd00::2:4",
    )  # fmt: skip
    assert (found["payload_bytes"], found["rtt_avg_ms"], found["rtt_deviation_ms"]) == (
        "56",
        "0.452",
        "0.050",
    )


def test_ping6_of_macos_that_was_stopped_knows_the_address_only():
    (found,) = facts_of(READER, MACOS6[: MACOS6.index("---")], "ping")
    assert (found["target"], found["sent"], found["computed"]) == ("fd00::2:4", "2", "true")


def test_replies_that_came_twice_and_packets_that_were_refused_are_told():
    (found,) = facts_of(READER, DOUBLED, "ping")
    assert (found["sent"], found["received"], found["lost"]) == ("2", "1", "1")
    assert (found["duplicates"], found["errors"]) == ("1", "1")


def test_a_reply_that_came_twice_is_no_second_packet_where_the_summary_is_missing():
    (found,) = facts_of(READER, DOUBLED[: DOUBLED.index("From 10.1")], "ping")
    assert (found["sent"], found["received"], found["lost"]) == ("1", "1", "0")


def test_a_source_address_of_ipv6_is_not_the_target():
    text = DOUBLED.replace("(10.2.0.4) from 10.1.0.9 eth0: 56(84)", "(fd00::2:4) from fd00::1:9 : 56 data")
    assert (
        facts_of(READER, text.replace("data bytes of data.", "data bytes"), "ping")[0]["address"]
        == "fd00::2:4"
    )


def test_a_ping_of_nothing_has_the_address_as_its_target():
    text = DOUBLED.replace("jbsag3.contoso.com", "")
    assert facts_of(READER, text, "ping")[0]["target"] == "10.2.0.4"


def test_linux_over_ipv6_and_interrupted():
    text = text_of(
        "PING jbsag3.contoso.com(jbsag3 (fd00::2:4)) 56 data bytes",
        "64 bytes from jbsag3 (fd00::2:4): icmp_seq=1 ttl=118 time=12.1 ms",
        "64 bytes from jbsag3 (fd00::2:4): icmp_seq=4 ttl=118 time=12.3 ms",
        end="\n",
    )
    found = facts_of(READER, text, "ping")[0]
    assert found["address"] == "fd00::2:4"
    assert (found["sent"], found["received"], found["lost"]) == ("4", "2", "2")
    assert (found["rtt_avg_ms"], found["computed"]) == ("12.2", "true")
    assert issue_kinds(READER, text) == ["truncated"]


@pytest.mark.parametrize(
    "text",
    [
        text_of(
            "PING db (10.2.0.4): 56 data bytes",
            "64 bytes from 10.2.0.4: seq=0 ttl=64 time=0.412 ms",
            "--- db ping statistics ---",
            "1 packets transmitted, 1 packets received, 0% packet loss",
            "round-trip min/avg/max = 0.412/0.412/0.412 ms",
            end="\n",
        ),
        text_of(
            "PING db (10.2.0.4): 56 data bytes",
            "64 bytes from 10.2.0.4: icmp_seq=0 ttl=64 time=0.412 ms",
            "--- db ping statistics ---",
            "1 packets transmitted, 1 packets received, 0.0% packet loss",
            "round-trip min/avg/max/stddev = 0.412/0.412/0.412/0.000 ms",
            end="\n",
        ),
    ],
    ids=["BusyBox", "BSD"],
)
def test_other_pings(text):
    found = facts_of(READER, text, "ping")[0]
    assert (found["target_host"], found["sent"], found["rtt_avg_ms"]) == ("DB", "1", "0.412")


@folded("language", LANGUAGES)
def test_windows_in_other_languages(language):
    assert facts_of(READER, LANGUAGES[language], "ping") == [TRANSLATED]


@folded("language", LANGUAGES)
def test_other_languages_in_the_code_page_of_the_console(language):
    page = CONSOLE_PAGES[language]
    assert facts_of(READER, LANGUAGES[language], "ping", encoding=page) == [TRANSLATED]


def test_a_target_given_as_an_address():
    text = text_of(
        "Pinging 10.2.0.4 with 1400 bytes of data:",
        "Reply from 10.2.0.4: bytes=1400 time=110ms TTL=118",
        "",
        "Ping statistics for 10.2.0.4:",
        "    Packets: Sent = 1, Received = 1, Lost = 0 (0% loss),",
        "Approximate round trip times in milli-seconds:",
        "    Minimum = 110ms, Maximum = 110ms, Average = 110ms",
    )
    found = facts_of(READER, text, "ping")[0]
    assert (found["target"], found["target_host"], found["address"]) == ("10.2.0.4",) * 3
    assert found["payload_bytes"] == "1400"


def test_a_source_address_is_not_the_target():
    text = JBSAG3.replace("[10.2.0.4] with", "[10.2.0.4] from 10.1.0.9 with")
    assert facts_of(READER, text, "ping")[0]["address"] == "10.2.0.4"


def test_ipv6_replies_have_neither_size_nor_ttl():
    text = text_of(
        "Pinging jbsag3 [fe80::1%12] with 32 bytes of data:",
        "Reply from fe80::1%12: time=3ms",
        "Reply from fe80::1%12: time<1ms",
        "",
        "Ping statistics for fe80::1%12:",
        "    Packets: Sent = 2, Received = 2, Lost = 0 (0% loss),",
        "Approximate round trip times in milli-seconds:",
        "    Minimum = 0ms, Maximum = 3ms, Average = 1ms",
    )
    found = facts_of(READER, text, "ping")[0]
    assert (found["address"], found["received"], found["rtt_avg_ms"]) == ("fe80::1%12", "2", "1")


def test_nobody_answered():
    text = ping_text("jbsag3", "10.2.0.4", [None, None])
    found = facts_of(READER, text, "ping")[0]
    assert (found["sent"], found["received"], found["lost"]) == ("2", "0", "2")
    assert "rtt_avg_ms" not in found
    assert issue_kinds(READER, text) == []


def test_without_a_summary_it_is_computed_from_the_replies():
    text = JBSAG3[: JBSAG3.index("\r\nPing statistics")]
    found = facts_of(READER, text, "ping")[0]
    assert (found["sent"], found["received"], found["lost"]) == ("4", "3", "1")
    assert (found["rtt_min_ms"], found["rtt_avg_ms"], found["rtt_max_ms"]) == ("0", "97.667", "182")
    assert found["computed"] == "true"
    assert issue_kinds(READER, text) == ["truncated"]


def test_half_a_reply_at_the_end_is_neither_a_reply_nor_a_loss():
    text = JBSAG3[: JBSAG3.index("11ms")]
    found = facts_of(READER, text, "ping")[0]
    assert (found["sent"], found["received"]) == ("3", "2")


def test_several_pings_in_one_file():
    text = (
        "C:\\>ping jbsag1\r\n"
        + ping_text("jbsag1", "10.1.0.5", [1, 1])
        + "\r\nC:\\>ping jbsag3\r\n"
        + ping_text("jbsag3", "10.2.0.4", [182, 184])
    )
    found = facts_of(READER, text, "ping")
    assert [(item["target_host"], item["rtt_avg_ms"]) for item in found] == [
        ("JBSAG1", "1"),
        ("JBSAG3", "183"),
    ]


def test_a_ping_that_was_stopped_and_one_that_follows():
    stopped = JBSAG3[: JBSAG3.index("\r\nPing statistics")]
    text = stopped + "^C\r\nC:\\>ping jbsag1\r\n" + ping_text("jbsag1", "10.1.0.5", [1, 1])
    found = facts_of(READER, text, "ping")
    assert [(item["target_host"], item["sent"]) for item in found] == [("JBSAG3", "4"), ("JBSAG1", "2")]


def test_replies_whose_announcement_was_not_copied():
    text = JBSAG3[JBSAG3.index("Reply") :]
    assert is_detected(READER, text)
    found = facts_of(READER, text, "ping")[0]
    assert (found["target"], found["rtt_avg_ms"], found["sent"]) == ("10.2.0.4", "97", "4")


@thorough
def test_the_battery():
    complete = JBSAG3.index("Average = 97ms") + len("Average = 97ms")
    summary = {"sent", "received", "lost", "rtt_min_ms", "rtt_avg_ms", "rtt_max_ms", "computed"}
    check_text_reader(READER, JBSAG3, "ping", complete, computed=summary)


def test_what_is_not_ping_output():
    assert not is_detected(READER, "")
    assert not is_detected(READER, "We should ping 10.2.0.4 with 32 bytes and see:\nnothing yet\n")
    assert not is_detected(READER, "Ping request could not find host jbsag9.\n")
    assert not is_detected(
        READER, "Connected to 10.2.0.4 after 3 tries:\nsomething\nelse\n\n\n\n\n\n\na = 5, b = 3, c = 2\n"
    )
    assert not is_detected(READER, bytes(range(256)) * 64)


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]
