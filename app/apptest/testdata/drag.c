// A file manager as far as dragging goes: a window in the lower right corner of the screen that gives the files named
// on its command line to whoever they are dropped on. It ends with the drag: with 0 when somebody took them.
#include <gtk/gtk.h>

static int taken = 1;

static void give(GtkWidget *window, GdkDragContext *drag, GtkSelectionData *data, guint info, guint time, gpointer files) {
	char **names = files;
	GPtrArray *uris = g_ptr_array_new();
	for (int i = 0; names[i] != NULL; i++)
		g_ptr_array_add(uris, g_filename_to_uri(names[i], NULL, NULL));
	g_ptr_array_add(uris, NULL);
	gtk_selection_data_set_uris(data, (char **)uris->pdata);
}

static gboolean failed(GtkWidget *window, GdkDragContext *drag, GtkDragResult why, gpointer data) {
	g_printerr("the drag failed: %d\n", why);
	taken = 0;
	return TRUE;
}

static void ended(GtkWidget *window, GdkDragContext *drag, gpointer data) { gtk_main_quit(); }

int main(int argc, char **argv) {
	gtk_init(&argc, &argv);
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_title(GTK_WINDOW(window), "Files to drag");
	gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
	gtk_window_set_default_size(GTK_WINDOW(window), 160, 60);
	gtk_container_add(GTK_CONTAINER(window), gtk_label_new("Files to drag"));
	gtk_widget_add_events(window, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_BUTTON1_MOTION_MASK);
	gtk_drag_source_set(window, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY | GDK_ACTION_MOVE);
	gtk_drag_source_add_uri_targets(window);
	g_signal_connect(window, "drag-data-get", G_CALLBACK(give), argv + 1);
	g_signal_connect(window, "drag-failed", G_CALLBACK(failed), NULL);
	g_signal_connect(window, "drag-end", G_CALLBACK(ended), NULL);
	gtk_window_move(GTK_WINDOW(window), 1260, 820);
	gtk_widget_show_all(window);
	gtk_main();
	return taken ? 0 : 1;
}
