"""What agtrace says of captures that nobody made for it, each finding judged by hand."""
