"""What texts say whatever their wording: words, numbers, dates, links and hidden characters, in many languages."""
