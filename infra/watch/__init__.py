"""What is watched: figures, alarms and dashboards as values; `infra.stacks.watch` makes resources of them."""
