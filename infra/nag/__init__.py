"""cdk-nag over the stacks: two packs of rules, and every acknowledgement with its reason in one file."""
