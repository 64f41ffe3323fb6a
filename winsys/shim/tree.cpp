// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/tree.h"

#include <cstring>
#include <deque>
#include <utility>

#include "winsys/shim/devices.h"

namespace terrazzo::winsys::shim {
namespace {

/// An entry with placeholders for the chip: {gpu}, its folder on the platform bus; {node}, its node's name;
/// {driver}; {compatible}, {uevent} and {modalias} in the kernel's form.
struct Row {
    const char* path;
    Kind kind;
    const char* content;
    uint32_t minor = 0;
};
constexpr Row kRows[] = {
    {"/dev/dri", Kind::Directory, ""},
    {"/dev/dri/card0", Kind::Device, "card", 0},
    {"/dev/dri/renderD128", Kind::Device, "render", 128},
    {"/dev/dri/by-path", Kind::Directory, ""},
    {"/dev/dri/by-path/platform-{gpu}-card", Kind::Link, "../card0"},
    {"/dev/dri/by-path/platform-{gpu}-render", Kind::Link, "../renderD128"},
    {"/sys/dev/char/226:0", Kind::Link, "../../devices/platform/{gpu}/drm/card0"},
    {"/sys/dev/char/226:128", Kind::Link, "../../devices/platform/{gpu}/drm/renderD128"},
    {"/sys/class/drm", Kind::Directory, ""},
    {"/sys/class/drm/card0", Kind::Link, "../../devices/platform/{gpu}/drm/card0"},
    {"/sys/class/drm/renderD128", Kind::Link, "../../devices/platform/{gpu}/drm/renderD128"},
    {"/sys/class/drm/version", Kind::File, "drm 1.1.0 20060810\n"},
    {"/sys/devices/platform/{gpu}", Kind::Directory, ""},
    {"/sys/devices/platform/{gpu}/uevent", Kind::File, "{uevent}"},
    {"/sys/devices/platform/{gpu}/modalias", Kind::File, "{modalias}\n"},
    {"/sys/devices/platform/{gpu}/subsystem", Kind::Link, "../../../bus/platform"},
    {"/sys/devices/platform/{gpu}/driver", Kind::Link, "../../../bus/platform/drivers/{driver}"},
    {"/sys/devices/platform/{gpu}/of_node", Kind::Directory, ""},
    {"/sys/devices/platform/{gpu}/of_node/name", Kind::File, "{node}"},
    {"/sys/devices/platform/{gpu}/of_node/compatible", Kind::File, "{compatible}"},
    {"/sys/devices/platform/{gpu}/drm", Kind::Directory, ""},
    {"/sys/devices/platform/{gpu}/drm/card0", Kind::Directory, ""},
    {"/sys/devices/platform/{gpu}/drm/card0/dev", Kind::File, "226:0\n"},
    {"/sys/devices/platform/{gpu}/drm/card0/uevent", Kind::File,
     "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n"},
    {"/sys/devices/platform/{gpu}/drm/card0/device", Kind::Link, "../../../{gpu}"},
    {"/sys/devices/platform/{gpu}/drm/card0/subsystem", Kind::Link, "../../../../../class/drm"},
    {"/sys/devices/platform/{gpu}/drm/renderD128", Kind::Directory, ""},
    {"/sys/devices/platform/{gpu}/drm/renderD128/dev", Kind::File, "226:128\n"},
    {"/sys/devices/platform/{gpu}/drm/renderD128/uevent", Kind::File,
     "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n"},
    {"/sys/devices/platform/{gpu}/drm/renderD128/device", Kind::Link, "../../../{gpu}"},
    {"/sys/devices/platform/{gpu}/drm/renderD128/subsystem", Kind::Link, "../../../../../class/drm"},
};
constexpr Entry kNone = {"", Kind::None, ""};

/// The rows with the chip's values.
class Tree {
  public:
    Tree() {
        const virt::Chip& chip = chosen_chip();
        const virt::PlatformDevice p = chip.platform();
        const std::string node = p.node, driver = p.driver;
        const std::string gpu = std::string(p.address) + "." + node;
        std::string modalias = "of:N" + node + "T(null)";
        std::string uevent =
            "DRIVER=" + driver + "\nOF_NAME=" + node + "\nOF_FULLNAME=/" + node + "@" + p.address + "\n";
        for (size_t i = 0; i < p.compatible.size(); ++i) {
            modalias += std::string("C") + p.compatible[i];
            uevent += "OF_COMPATIBLE_" + std::to_string(i) + "=" + p.compatible[i] + "\n";
        }
        uevent += "OF_COMPATIBLE_N=" + std::to_string(p.compatible.size()) + "\nMODALIAS=" + modalias + "\n";
        names_ = {{"{gpu}", gpu},       {"{node}", node},         {"{driver}", driver},
                  {"{uevent}", uevent}, {"{modalias}", modalias}, {"{compatible}", p.compatible.at(0)}};
        for (const Row& r : kRows)
            entries.push_back({keep(r.path), r.kind, keep(r.content), r.minor});
        owned = {"/dev/dri", "/sys/class/drm", "/sys/dev/char/226:", keep("/sys/devices/platform/{gpu}")};
    }
    std::vector<Entry> entries;
    std::vector<const char*> owned;  // path prefixes that are ours alone, even where no entry exists

  private:
    const char* keep(std::string text) {
        for (const auto& [name, value] : names_)
            for (size_t at; (at = text.find(name)) != std::string::npos;)
                text.replace(at, strlen(name), value);
        return texts_.emplace_back(std::move(text)).c_str();
    }
    std::vector<std::pair<const char*, std::string>> names_;
    std::deque<std::string> texts_;
};

/// Never destroyed: threads look up paths while the process ends.
const Tree& tree() {
    static const Tree* const made = new Tree;
    return *made;
}

const Entry* find(const std::string& path) {
    for (const Entry& e : tree().entries)
        if (path == e.path) return &e;
    return nullptr;
}

bool is_owned(const std::string& path) {
    for (const char* prefix : tree().owned) {
        const size_t length = strlen(prefix);
        if (path.compare(0, length, prefix) == 0 &&
            (path.size() == length || path[length] == '/' || prefix[length - 1] == ':'))
            return true;
    }
    return false;
}

}  // namespace

bool may_be_ours(const char* path) {
    if (!path || path[0] != '/') return false;
    // "//dev/dri" is rare but valid. Every path that contains one of these parts is looked up.
    return strstr(path, "/dri") || strstr(path, "/226:") || strstr(path, "/drm") ||
           strstr(path, "/devices/platform");
}

const Entry* resolve(const char* path, bool follow, std::string* canonical, bool* through) {
    std::string done, rest = path;
    for (int links = 0; links < 16;) {
        const size_t begin = rest.find_first_not_of('/');
        if (begin == std::string::npos) break;
        const size_t end = rest.find('/', begin);
        const std::string part = rest.substr(begin, end == std::string::npos ? end : end - begin);
        rest = end == std::string::npos ? "" : rest.substr(end);
        if (part == ".") continue;
        if (part == "..") {
            done.resize(done.empty() ? 0 : done.rfind('/'));
            continue;
        }
        const std::string here = done + "/" + part;
        const Entry* e = find(here);
        if (e && through) *through = true;
        const bool last = rest.find_first_not_of('/') == std::string::npos;
        if (e && e->kind == Kind::Link && (!last || follow)) {
            rest = std::string(e->content) + rest;  // relative to `done`
            links++;
        } else {
            done = here;
        }
    }
    if (canonical) *canonical = done.empty() ? "/" : done;
    const Entry* e = find(done);
    return e ? e : is_owned(done) ? &kNone : nullptr;
}

std::vector<const Entry*> list(const Entry& directory) {
    std::vector<const Entry*> out;
    const size_t length = strlen(directory.path);
    for (const Entry& e : tree().entries)
        if (strncmp(e.path, directory.path, length) == 0 && e.path[length] == '/' &&
            !strchr(e.path + length + 1, '/'))
            out.push_back(&e);
    return out;
}

const char* name_of(const Entry& entry) {
    return strrchr(entry.path, '/') + 1;
}

const Entry* device_entry(uint32_t minor) {
    for (const Entry& e : tree().entries)
        if (e.kind == Kind::Device && e.minor == minor) return &e;
    return nullptr;
}

}  // namespace terrazzo::winsys::shim
