"""Jobs that follow a stored change, or make up for what no turn has done yet."""
