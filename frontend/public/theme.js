// Sets the theme and the zoom of the last time before the first paint, so that nothing flashes. The settings
// themselves come from the Go side a moment later.
(function () {
  var theme = null;
  var zoom = null;
  try {
    theme = localStorage.getItem('theme');
    zoom = localStorage.getItem('zoom');
  } catch {
    // no storage: the system's theme
  }
  if (theme !== 'light' && theme !== 'dark') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.dataset.theme = theme;
  if (zoom && zoom !== '100') document.documentElement.style.fontSize = zoom + '%';
})();
