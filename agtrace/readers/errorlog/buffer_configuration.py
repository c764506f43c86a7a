"""Words of the buffer configurations of trace flag 3213 (docs/formats/errorlog.md, section 4)."""

from __future__ import annotations

TITLE = b"Backup/R"
"""How ``Backup/Restore buffer configuration parameters`` begins."""

KEYS: dict[str, str] = {
    "memorylimit": "memory_limit_mb",
    "buffercount": "buffer_count",
    "setsofbuffers": "sets_of_buffers",
    "maxtransfersize": "max_transfer_size_kb",
    "minmaxtransfersize": "min_max_transfer_size_kb",
    "totalbufferspace": "total_mb",
    "buffersperreadstream": "buffers_per_read_stream",
    "buffersperwritestream": "buffers_per_write_stream",
    "tabulardatadevicecount": "tabular_data_device_count",
    "filetreedatadevicecount": "fulltext_data_device_count",
    "fulltextdatadevicecount": "fulltext_data_device_count",
    "filestreamdevicecount": "filestream_device_count",
    "txfdevicecount": "txf_device_count",
    "filesystemi/oalignment": "filesystem_io_alignment_bytes",
    "mediabuffercount": "media_buffer_count",
    "mediabuffersize": "media_buffer_size_kb",
    "encodebuffercount": "encode_buffer_count",
}
"""Names of the values by their spelling without blanks, lower case; FileTree is the older name of Fulltext.
"""

KEY_HEADS = tuple(
    head.encode()
    for head in (
        "Memory l", "BufferCo", "Buffer c", "Sets Of ", "MaxTrans", "Max tran", "Min MaxT", "Total bu",
        "Buffers ", "Tabular ", "FileTree", "Fulltext", "Filestre", "TXF devi", "Filesyst", "Media Bu",
        "Encode B",
    )
)  # fmt: skip
"""First bytes of the lines."""
