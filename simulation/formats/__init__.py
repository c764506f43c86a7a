"""Writers of capture files, byte by byte."""
