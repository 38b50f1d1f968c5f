#!/bin/sh
# Copy the bundled JavaScript library of the report from its npm package: tools/vendor.sh VERSION
set -eu
target=src/bitsep/report/page/vendor
work=build/vendor
rm -rf "$work"
mkdir -p "$work"
(cd "$work" && npm pack --silent "@dagrejs/dagre@$1" && tar xzf ./*.tgz)
{
    echo "/* dagre $1, copied by make vendor; do not edit."
    echo
    cat "$work/package/LICENSE"
    echo "*/"
    grep -v '^//# sourceMappingURL\|^/\*! For license information' "$work/package/dist/dagre.min.js"
} > "$target/dagre.min.js"
cp "$work/package/LICENSE" "$target/LICENSE"
