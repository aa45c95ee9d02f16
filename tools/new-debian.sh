# Functions for scripts that try Tintype in a new Debian. They need root and debootstrap.

# Creates a Debian with its essential packages and apt: new_debian RELEASE FOLDER
new_debian() {
  debootstrap --variant=minbase "$1" "$2" > "$2.log" || { tail "$2.log"; exit 1; }
  rm "$2.log"
  chmod 755 "$2"
}

# Runs the commands of standard input in a Debian as root: in_debian FOLDER [SOURCE TARGET]...
#
# The folder SOURCE of this machine is the read-only folder TARGET there.
in_debian() {
  # The mounts end with the namespace, before the folder is removed. Of the environment, only the proxies are left.
  # shellcheck disable=SC2016,SC2046
  cat > "$1/commands"
  unshare --mount sh -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --bind /dev/pts "$root/dev/pts"
    while [ $# -gt 0 ]; do
      mkdir -p "$root$2"
      mount -o bind,ro "$1" "$root$2"
      shift 2
    done
    exec env -i $(env | grep -E "^(http|https|no)_proxy=") HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      LC_ALL=C.UTF-8 TERM=xterm-256color DEBIAN_FRONTEND=noninteractive chroot "$root" /bin/bash -euo pipefail /commands < /dev/null
    ' sh "$@"
}
