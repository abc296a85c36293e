# Used by the scripts beside it: makes a temporary environment with pinned packages, and removes it at the end.
# `install PACKAGE==VERSION ...` sets PYTHON to the interpreter of the environment and enters an empty folder.
set -eu
install() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  python3 -m venv "$folder/environment"
  PYTHON=$folder/environment/bin/python
  "$PYTHON" -m pip install --quiet --disable-pip-version-check "$@"
  mkdir "$folder/files"
  cd "$folder/files"
}
