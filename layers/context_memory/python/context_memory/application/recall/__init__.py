"""Facts for the question at hand, and the citations of answers that rest on them."""
