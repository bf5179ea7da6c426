"""Each preset configures; a sanitizer preset compiles all C++ with its sanitizers, and leaves out no test but the ones that are
named here and in CONTRIBUTING.md. Argument: the C++ compiler. Without CUDA, whose compiler takes longest to look at."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = sys.argv[1]
RELEASE_ONLY = {"mutation", "presets"}
FUZZ = "fuzz"  # fuzzers bring sanitizers of their own


def output(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def configure(preset, folder):
    output("cmake", "--preset", preset, "-B", folder, f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DVPARITY_CUDA=OFF")


def tests(folder):
    """Name of each test -> its properties."""
    listed = json.loads(output("ctest", "--test-dir", folder, "--show-only=json-v1"))["tests"]
    return {test["name"]: {p["name"]: p["value"] for p in test.get("properties", [])} for test in listed}


def commands(folder):
    return [entry["command"] for entry in json.loads((folder / "compile_commands.json").read_text())]


def check_all_sanitized(folder, sanitizers):
    plain = [command for command in commands(folder) if f"-fsanitize={sanitizers} " not in command]
    assert not plain, f"compiled without {sanitizers}: {plain}"


def check_left_out(released, sanitized):
    left_out = {name for name in released.keys() - sanitized.keys() if not name.startswith(FUZZ)}
    assert left_out == RELEASE_ONLY, f"left out: {left_out}"


def check_disabled(sanitized, kind):
    disabled = {name for name, properties in sanitized.items() if properties.get("DISABLED")}
    expected = {name for name, properties in sanitized.items() if kind and kind in properties.get("LABELS", [])}
    assert disabled == expected, f"disabled: {disabled}, expected: {expected}"


with tempfile.TemporaryDirectory() as scratch:
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    shown = {preset["name"]: preset for preset in presets if not preset.get("hidden")}
    folders = {name: pathlib.Path(scratch, name) for name in shown}
    for name, folder in folders.items():
        configure(name, folder)
    released = tests(folders["release"])
    sanitizers = {name: preset["cacheVariables"].get("VPARITY_SANITIZE") for name, preset in shown.items()}
    assert {name for name in sanitizers if sanitizers[name]} == {"asan", "tsan"}
    for name in ("asan", "tsan"):
        check_all_sanitized(folders[name], sanitizers[name])
        sanitized = tests(folders[name])
        check_left_out(released, sanitized)
        check_disabled(sanitized, "mpi" if name == "tsan" else None)
