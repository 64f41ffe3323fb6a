// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The environment of the process: the shader cache's folder, variables, rights.
#include <dirent.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "api/command/explain/library_file.h"
#include "api/command/explain/probes.h"
#include "api/command/file.h"
#include "pipe/debug.h"
#include "shaders/cache/cache.h"
#include "shaders/cache/folder.h"
#include "winsys/environment/environment.h"
#include "winsys/environment/foreign.h"

namespace terrazzo::command {
namespace {

constexpr char kCache[] = "shader cache";
constexpr unsigned kMostEntries = 20'000;  // limit of counted entries

struct Size {
    uint64_t bytes = 0;
    unsigned files = 0;
};

/// Adds the sizes of the files in a folder and, to that depth, its subfolders, as in the cache.
void add_size(int folder, int depth, Size* out) {
    DIR* const dir = fdopendir(folder);
    if (!dir) {
        close(folder);
        return;
    }
    while (const dirent* e = readdir(dir)) {
        struct stat st {};
        if (e->d_name[0] == '.' || out->files >= kMostEntries ||
            fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(st.st_mode)) out->bytes += uint64_t(st.st_size), ++out->files;
        if (S_ISDIR(st.st_mode) && depth > 0)
            if (const int sub =
                    openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                sub >= 0)
                add_size(sub, depth - 1, out);
    }
    closedir(dir);
}

std::string size_text(const Size& s) {
    char text[96];
    std::snprintf(text, sizeof text, "%s%u entries, %.1f MiB", s.files >= kMostEntries ? "more than " : "",
                  s.files, double(s.bytes) / (1 << 20));
    return text;
}

/// What makes an existing folder unusable; empty: nothing.
std::string fault_of_folder(const std::string& path, const struct stat& st) {
    if (S_ISLNK(st.st_mode)) return "is a link, which the cache does not follow";
    if (!S_ISDIR(st.st_mode)) return "is no folder";
    if (st.st_uid != geteuid())
        return "belongs to user " + std::to_string(st.st_uid) + ", and not to " + std::to_string(geteuid());
    if (st.st_mode & (S_IWGRP | S_IWOTH)) return "can be written to by others";
    if (access(path.c_str(), W_OK | X_OK) != 0)
        return std::string("cannot be written to: ") + std::strerror(errno);
    return {};
}

void explain_missing_folder(const Findings& out, const std::string& path) {
    std::string above = path;
    struct stat st {};
    do
        above = folder_of(above);
    while (!above.empty() && stat(above.c_str(), &st) != 0);
    if (above.empty()) above = "/";
    if (access(above.c_str(), W_OK | X_OK) == 0)
        out.works(kCache, "will be created when the first shader is compiled", path);
    else
        out.add({Level::Wrong, kCache,
                 "cannot be created in " + above + ": " + std::strerror(errno) +
                     ". Each program compiles its shaders again",
                 path, "TERRAZZO_SHADER_CACHE=FOLDER that can be created"});
}

/// The kernel's number of the seccomp mode; -1: unknown.
int seccomp_mode() {
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
}

}  // namespace

void probe_shader_cache(const Findings& out) {
    const shaders::CacheOptions o = shaders::cache_options_from_environment();
    if (o.folder.empty() && o.memory_limit_B == 0)
        return out.unused(kCache, "is off (TERRAZZO_SHADER_CACHE=off)");
    if (o.folder.empty())
        return out.unused(kCache,
                          winsys::has_elevated_rights()
                              ? "a program with elevated rights keeps shaders only in memory"
                              : "is only in memory: neither HOME nor XDG_CACHE_HOME is set",
                          "TERRAZZO_SHADER_CACHE=FOLDER, for shaders that are compiled once");
    struct stat st {};
    if (lstat(o.folder.c_str(), &st) != 0) {
        if (errno == ENOENT) return explain_missing_folder(out, o.folder);
        return out.add({Level::Wrong, kCache, std::strerror(errno), o.folder,
                        "TERRAZZO_SHADER_CACHE=FOLDER that can be opened"});
    }
    const std::string fault = fault_of_folder(o.folder, st);
    if (!fault.empty() || !shaders::Folder::open(o.folder).ok())
        return out.add(
            {Level::Wrong, kCache,
             (fault.empty() ? "cannot be opened" : fault) + ". Each program compiles its shaders again",
             o.folder, "chown, chmod go-w, or TERRAZZO_SHADER_CACHE=FOLDER of this user"});
    Size size;
    if (const int fd = open(o.folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); fd >= 0)
        add_size(fd, 1, &size);
    out.works(kCache, size_text(size), o.folder);
}

void probe_environment(const Findings& out) {
    for (const winsys::VariableRow& row : winsys::variable_rows()) {
        const char* const ours = winsys::environment(row.variable);
        const char* const any = winsys::environment_text(row.variable, false);
        if (ours)
            out.works(row.name, ours);
        else if (any && !winsys::is_allowed(row.variable, any))
            out.wrong(row.name, std::string(any) + " is ignored", std::string("allowed is ") + row.allowed);
        else if (any && *any)
            out.unused(row.name,
                       std::string(any) + ": ignored because of elevated rights (it " + row.why + ")");
    }
    for (unsigned i = 0; i < winsys::kForeignVariableCount; ++i) {
        const auto variable = winsys::ForeignVariable(i);
        if (const char* const value = winsys::foreign_environment(variable))
            out.works(winsys::name_of(variable), value);
    }
    for (const std::string& name : winsys::unknown_variables())
        out.wrong(name, "means nothing to Terrazzo", "winsys/environment/README.md lists all variables");
    if (const char* const words = winsys::environment(winsys::Variable::Debug))
        for (const std::string& word : pipe::parse_debug(words).unknown)
            out.wrong("TERRAZZO_DEBUG", "has no '" + word + "'", "TERRAZZO_DEBUG=help prints what there is");
}

void probe_rights(const Findings& out) {
    if (winsys::has_elevated_rights())
        out.unused("elevated rights",
                   "this process has more rights than its user: all variables except DISPLAY are ignored");
    if (seccomp_mode() == SECCOMP_MODE_FILTER)
        out.unused("seccomp", "a filter decides which system calls this process may make");
    for (const auto& [file, what] :
         {std::pair{"/run/.containerenv", "podman"}, std::pair{"/.dockerenv", "docker"}})
        if (access(file, F_OK) == 0)
            out.unused("container", std::string("of ") + what + " (" + file +
                                        "): it shows the devices that it was started with");
    std::string map, why;
    unsigned long inside = 0, outside = 0, count = 0;
    if (read_file("/proc/self/uid_map", &map, &why) &&
        std::sscanf(map.c_str(), "%lu %lu %lu", &inside, &outside, &count) == 3 &&
        !(inside == 0 && outside == 0 && count == 0xffffffff))
        out.unused("user namespace",
                   "its users are others outside: groups of nodes in /dev may not be this user's");
    if (access("/proc/self", F_OK) != 0) out.unused("/proc", "is not there");
}

}  // namespace terrazzo::command
