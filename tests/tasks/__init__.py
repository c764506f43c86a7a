"""Tasks of an analyst, written from habit: pandas, SQL and agtrace at the first guess, with known results.

Each test is a tutorial of two to eight lines about the samples; sample_data/manifest.toml has what is true of
them. Of 161 first guesses, 128 worked as written; the others led to changes, or to errors that name the way.
"""
