"""What portal, API and reader share: the state of the app, who visits, what is shown and how it is kept safe."""
