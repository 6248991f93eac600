#!/usr/bin/env bash
# Builds the C library and installs it with header and pkg-config files: c/install.sh [PREFIX], by default /usr/local.
# The package jungletb is the shared library, jungletb-static the static one. DESTDIR=FOLDER installs below a folder,
# for packages; LIBDIR=FOLDER sets the library folder, by default PREFIX/lib. For Linux and other systems with ELF
# libraries.
set -euo pipefail

if (($# > 1)) || [[ ${1:-} == -* ]]; then
    echo "usage: [DESTDIR=FOLDER] [LIBDIR=FOLDER] c/install.sh [PREFIX]" >&2
    exit 2
fi
prefix=$(realpath -ms "${1:-/usr/local}")
cd "$(dirname "$0")/.."
libdir=${LIBDIR:-$prefix/lib}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' c/Cargo.toml)
target=${CARGO_TARGET_DIR:-target}

# rustc prints the libraries that a program needs to link the static library. -lgcc_s and -lc are left out: every C
# compiler adds them as the kind of linking requires.
needs=$(cargo rustc --release --locked --package jungletb-c --lib -- --print native-static-libs 2>&1 | tee >(cat >&2) |
    sed -n 's/^note: native-static-libs: *//p' | tail -n 1 | sed -E 's/(^| )-l(gcc_s|c)\b//g; s/^ *//')

lib=${DESTDIR:-}$libdir
include=${DESTDIR:-}$prefix/include
mkdir -p "$lib/pkgconfig" "$include"
install -m 644 c/include/jungletb.h "$include/jungletb.h"
install -m 644 "$target/release/libjungletb_c.a" "$lib/libjungletb.a"
install -m 755 "$target/release/libjungletb_c.so" "$lib/libjungletb.so.$version"
strip --strip-debug "$lib/libjungletb.a" "$lib/libjungletb.so.$version" 2> /dev/null || true
ln -sf "libjungletb.so.$version" "$lib/libjungletb.so.${version%%.*}"
ln -sf "libjungletb.so.${version%%.*}" "$lib/libjungletb.so"
# Writes a pkg-config file: its name, its description, its libraries. Quotes keep a path with blanks in one piece.
package() {
    cat > "$lib/pkgconfig/$1.pc" << END
prefix=$prefix
includedir=\${prefix}/include
libdir=$libdir

Name: $1
Description: $2
Version: $version
Cflags: -I"\${includedir}"
Libs: $3
END
}
package jungletb "Endgame tablebases for Jungle (Dou Shou Qi)" '-L"${libdir}" -ljungletb'
package jungletb-static "Endgame tablebases for Jungle (Dou Shou Qi), static library" "\"\${libdir}/libjungletb.a\" $needs"
