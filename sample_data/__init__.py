"""The sample cases of agtrace, a folder each; ``manifest.toml`` says what each shows and what is true."""
