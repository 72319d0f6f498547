#!/bin/sh
# Builds what the project runs on, from a machine that has nothing but git and make: a Python interpreter, uv, the
# locked environment of the project (.venv) and the one of the emulator (.cache/emulator), and, where npm reaches its
# packages, a simulator of IAM (.cache/simulator) and a browser (.cache/browser). A second run takes a second.
set -eu

cd "$(dirname "$0")/../.."
# The machine's own certificates: many networks look into TLS.
export UV_SYSTEM_CERTS=1 NODE_USE_SYSTEM_CA=1
export PIP_DISABLE_PIP_VERSION_CHECK=1
tools=.cache/tools
uv_version=$(sed -n '/^name = "uv"$/{n;s/^version = "\(.*\)"$/\1/p;}' uv.lock) # the locked one, so that they agree

say() { printf '%s\n' "setup: $*" >&2; }

# Prints the real path of interpreter $1 when it runs and is of one of the versions $2…; a pyenv shim may do neither.
real_path() {
    interpreter=$1
    shift
    "$interpreter" -c '
import sys
if "%d.%d" % sys.version_info[:2] not in sys.argv[1:]:
    raise SystemExit(1)
print(getattr(sys, "_base_executable", "") or sys.executable)' "$@" 2>/dev/null </dev/null
}

# Prints the interpreter to build the environments with: the functions' own version first.
find_python() {
    home=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6) # HOME may be another in CI
    for version in 3.13 3.12; do
        for candidate in \
            "python$version" \
            "${HOME:-}"/.pyenv/versions/"$version"*/bin/python3 \
            "$home"/.pyenv/versions/"$version"*/bin/python3 \
            /opt/*/bin/"python$version" \
            /usr/local/bin/"python$version"; do
            if found=$(real_path "$candidate" "$version"); then
                printf '%s\n' "$found"
                return
            fi
        done
    done
    return 1
}

# Prints a uv that runs: the one of the project, one on the path of the wanted version, else one from PyPI.
find_uv() {
    for candidate in .venv/bin/uv $tools/bin/uv uv; do
        case $("$candidate" --version 2>/dev/null </dev/null) in "uv $uv_version"*)
            command -v "$candidate"
            return
            ;;
        esac
    done
    for candidate in ${python:-} python3.13 python3.12 python3 /usr/bin/python3; do
        real_path "$candidate" 3.9 3.10 3.11 3.12 3.13 3.14 3.15 >/dev/null || continue
        say "fetch uv $uv_version with $candidate"
        rm -rf $tools
        if "$candidate" -m venv $tools >&2 && $tools/bin/python -m pip install --quiet "uv==$uv_version" >&2; then
            printf '%s\n' "$tools/bin/uv"
            return
        fi
    done
    return 1
}

python=$(find_python) || python=
if ! uv=$(find_uv); then
    say "no uv, and no Python that could fetch it. Install Python 3.13 (with its venv module) and run this again."
    exit 1
fi
if [ -z "$python" ]; then
    say "no Python 3.13 or 3.12 that runs; uv fetches one"
    if ! "$uv" python install --quiet 3.13 </dev/null || ! python=$("$uv" python find 3.13); then
        say "that failed. Install Python 3.13 or 3.12 so that python3.13 or python3.12 is on the path, and run this again."
        exit 1
    fi
fi

export UV_PYTHON_DOWNLOADS=never
say "Python is $python"
say "project environment: .venv"
"$uv" sync --quiet --locked --python "$python" </dev/null
say "emulator's environment: .cache/emulator"
UV_PROJECT_ENVIRONMENT="$PWD/.cache/emulator" \
    "$uv" sync --quiet --locked --python "$python" --project infra/local/emulator </dev/null
# Development tools from npm, each with the tests that need it: they are skipped with this reason where it is missing.
npm_tools() { # $1: folder of package.json and its lock, $2: where it goes, $3: what it is
    say "$3: $2"
    cmp -s "$1/package-lock.json" "$2/installed.json" && return
    mkdir -p "$2"
    cp "$1/package.json" "$1/package-lock.json" "$2/"
    node_and_npm="$PWD/.venv/bin" # from PyPI, with the project's environment
    if (cd "$2" && PATH="$node_and_npm:$PATH" npm ci --ignore-scripts --no-audit --no-fund \
        --loglevel error --fetch-retries 1 </dev/null >&2); then
        cp "$1/package-lock.json" "$2/installed.json"
    else
        say "npm could not install it; tests that need it will be skipped"
    fi
}
npm_tools tests/infra/simulator .cache/simulator "policy simulator"
npm_tools tests/local/browser .cache/browser "browser for tests of the settings page"
say "done"
