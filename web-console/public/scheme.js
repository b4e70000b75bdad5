// Sets the colour scheme before the first paint, so that a dark console does not flash white.
(function () {
  var scheme = null;
  try {
    scheme = window.localStorage.getItem('mantine-color-scheme-value');
  } catch (e) {
    scheme = null;
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
