"""What goes out by itself or by a press of a button: rules of readers, webhooks, letters, files of Markdown, WebSub."""
