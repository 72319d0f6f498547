"""What language models are asked, whoever asks: a chain of turns, or a job about what is stored."""
