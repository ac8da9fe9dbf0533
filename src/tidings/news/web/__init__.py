"""What portal, API and reader share: the house they live in, who visits, what is shown and how it is kept safe."""
