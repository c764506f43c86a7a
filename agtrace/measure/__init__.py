"""What perfmon showed over any window of any host, in one way, and the statistics that rest on it."""
