"""What a person does with an opened case beside asking questions: look, draw, list, look something up."""
