"""What was said in turns, kept for a while where a company wants it, and made into facts before it goes."""
