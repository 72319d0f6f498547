"""What `maintain` does when a job comes. Each worker is built then, with the imports that it takes."""
