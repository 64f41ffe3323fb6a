// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vendors that libglvnd's libEGL.so.1 loads, in its order. Source: libglvnd's src/EGL/icd_enumeration.md
// and libeglvendor.c. The library contains the folders for which it was built as one text, separated by
// colons.
#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "api/command/explain/library_file.h"
#include "api/command/explain/probes.h"
#include "api/command/file.h"
#include "api/command/vendor_file.h"
#include "winsys/environment/foreign.h"

namespace terrazzo::command {
namespace {

using winsys::ForeignVariable;

constexpr char kFolder[] = "/glvnd/egl_vendor.d";
constexpr char kEntry[] = "__egl_Main";

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(':'));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        if (!part.empty()) parts.emplace_back(part);
    }
    return parts;
}

/// The text in a library with its folders; empty: there is none.
std::string built_in_folders(const std::string& library) {
    std::string bytes, why;
    if (!read_file(library, &bytes, &why)) return {};
    const size_t at = bytes.find(kFolder);
    if (at == bytes.npos) return {};
    const size_t before = bytes.rfind('\0', at), begin = before == bytes.npos ? 0 : before + 1;
    return bytes.substr(begin, bytes.find('\0', at) - begin);
}

/// In libglvnd's order: by bytes.
std::vector<std::string> descriptions_in(const std::string& folder) {
    std::vector<std::string> names;
    DIR* const dir = opendir(folder.c_str());
    if (!dir) return names;
    while (const dirent* e = readdir(dir))
        if (std::string_view(e->d_name).ends_with(".json")) names.push_back(folder + "/" + e->d_name);
    closedir(dir);
    std::sort(names.begin(), names.end());
    return names;
}

/// The descriptions, and a finding about their origin.
std::vector<std::string> list_descriptions(const Findings& out, const std::string& egl) {
    const auto value = [](ForeignVariable v) {
        const char* const text = winsys::foreign_environment(v);
        return text ? std::optional<std::string>(text) : std::nullopt;
    };
    if (const auto files = value(ForeignVariable::VendorFilenames)) {
        out.works("__EGL_VENDOR_LIBRARY_FILENAMES", "only these files are read: " + *files);
        return split(*files);
    }
    const auto folders = value(ForeignVariable::VendorFolders);
    const std::string text = folders ? *folders : built_in_folders(egl);
    if (folders)
        out.works("__EGL_VENDOR_LIBRARY_DIRS", "only these folders are read: " + text);
    else if (text.empty())
        out.unused("folders", egl + " names no folder of descriptions");
    std::vector<std::string> files;
    for (const std::string& folder : split(text)) {
        const std::vector<std::string> some = descriptions_in(folder);
        files.insert(files.end(), some.begin(), some.end());
    }
    if (files.empty())
        out.wrong("vendors",
                  "there is none (*.json) in " + (text.empty() ? "any folder" : text) +
                      ": libEGL.so.1 has no driver to call",
                  "terrazzo run -- PROGRAM, or terrazzo run --glvnd -- PROGRAM");
    return files;
}

/// Whether the vendor works and is Terrazzo.
bool explain_vendor(const Findings& out, const std::string& subject, const std::string& description,
                    const Places& own, std::vector<void*>* handles) {
    std::string why;
    const std::string name = vendor_library(description, &why);
    if (name.empty()) {
        out.wrong(subject, description + ": " + why, "repair or remove that file; libglvnd skips it");
        return false;
    }
    const LibraryFile l = open_library_file(vendor_library_path(description, name), own);
    if (!l.handle) {
        out.wrong(subject, description + " names " + name + ", which cannot be loaded: " + l.why,
                  "install that library, or remove the file; libglvnd skips it");
        return false;
    }
    const std::string text = description + " names " + name;
    if (std::ranges::find(*handles, l.handle) != handles->end()) {
        out.add({Level::Unused, subject, text + ", which an earlier vendor is already", l.file, {}});
        return false;
    }
    if (!dlsym(l.handle, kEntry)) {
        out.add({Level::Wrong, subject, text + ", which is no vendor: it has no __egl_Main", l.file,
                 "repair or remove that file; libglvnd skips it"});
        return false;
    }
    handles->push_back(l.handle);
    out.works(subject, text + (is_terrazzo(l) ? ": Terrazzo" : ""), l.file);
    return is_terrazzo(l);
}

}  // namespace

void probe_vendors(const Findings& out) {
    const Places own = own_places();
    const LibraryFile egl = open_library_file("libEGL.so.1", own);
    if (egl.maker != Maker::Glvnd) {
        out.unused("vendors", "libEGL.so.1 is not libglvnd's: it loads none");
        return;
    }
    std::vector<void*> handles;
    bool terrazzo = false;
    unsigned number = 0;
    for (const std::string& file : list_descriptions(out, egl.file))
        terrazzo |= explain_vendor(out, "vendor " + std::to_string(++number), file, own, &handles);
    if (!terrazzo && access(own.vendor.c_str(), R_OK) == 0)
        out.unused("Terrazzo", "is none of them: a program started now does not get it",
                   "terrazzo run -- PROGRAM; for programs that use libGL.so.1, too: terrazzo run --glvnd -- "
                   "PROGRAM, which sets __EGL_VENDOR_LIBRARY_FILENAMES=" +
                       own.vendor);
}

}  // namespace terrazzo::command
