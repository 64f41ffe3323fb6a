// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The files that programs get which link or open libraries by name, and whether Terrazzo's own folder is
// complete.
#include <dlfcn.h>
#include <unistd.h>

#include <cstring>

#include "api/command/explain/library_file.h"
#include "api/command/explain/probes.h"
#include "api/command/place.h"
#include "winsys/environment/foreign.h"

namespace terrazzo::command {
namespace {

using winsys::ForeignVariable;

constexpr char kTerrazzo[] = "libterrazzo.so.0";

std::string run_advice(const Places& own) {
    return "terrazzo run -- PROGRAM" + (own.drop_in.empty() ? "" : ", or LD_LIBRARY_PATH=" + own.drop_in);
}

struct FrontEnd {
    const char* name;
    const char* glvnd;  // the effect of libglvnd's
};
constexpr FrontEnd kFrontEnds[] = {
    {"libEGL.so.1", "libglvnd's, which loads vendors (below)"},
    {"libGLESv2.so.2", "libglvnd's, which calls the vendor of the current context"},
    {"libGLESv1_CM.so.1", "libglvnd's, which calls the vendor of the current context"},
    {"libgbm.so.1", ""},
    {"libterrazzo.so.0", ""},
};

void explain_front_end(const Findings& out, const FrontEnd& f, const LibraryFile& l, const Places& own) {
    if (l.absent) {
        out.unused(f.name, "is not where programs look for libraries", run_advice(own));
    } else if (!l.handle) {
        out.wrong(f.name, "cannot be loaded: " + l.why, "install what is missing, or " + run_advice(own));
    } else if (l.maker == Maker::ThisBuild) {
        out.works(f.name, "Terrazzo's, of this build", l.file);
    } else if (l.maker == Maker::OtherTerrazzo) {
        out.works(f.name, "Terrazzo's, but not this command's, which is in " + own.drop_in, l.file);
    } else if (l.maker == Maker::Glvnd) {
        out.works(f.name, f.glvnd, l.file);
    } else {
        out.add({Level::Unused, f.name, "neither Terrazzo's nor libglvnd's", l.file, run_advice(own)});
    }
}

/// Checks a library that libterrazzo opens at its first use. Both are from one build if libterrazzo contains
/// the library's stamp. `entry` returns a structure that begins with the stamp. Empty: everything is right.
std::string fault_of_module(const LibraryFile& module, const char* entry, const std::string& terrazzo) {
    if (!module.handle) return module.why;
    const auto get = reinterpret_cast<const char* const* (*)()>(dlsym(module.handle, entry));
    if (!get) return "it has no " + std::string(entry);
    return file_contains(terrazzo, *get()) ? "" : "it belongs to another build than " + terrazzo;
}

struct Module {
    const char* file;
    const char* entry;
    const char* without;  // the effect of its absence
};
constexpr Module kModules[] = {
    {"libterrazzo-llvm.so", "terrazzo_llvm_module",
     "`soft` compiles shaders without LLVM: by asmjit where the CPU has AVX2, else it interprets them"},
    {"libterrazzo-virtual.so", "terrazzo_virtual_module", "there are no virtual GPUs (sim:..., noop:...)"},
};

}  // namespace

void probe_libraries(const Findings& out) {
    const Places own = own_places();
    for (const FrontEnd& f : kFrontEnds) {
        const LibraryFile l = open_library_file(f.name, own);
        explain_front_end(out, f, l, own);
        if (!is_terrazzo(l) || !std::strcmp(f.name, kTerrazzo)) continue;
        // The one that it was loaded with, which is already known by that name.
        const LibraryFile used = open_library_file(kTerrazzo, own);
        if (used.maker != l.maker)
            out.wrong(f.name, "is not of one build with the libterrazzo.so.0 that it uses, " + used.file,
                      run_advice(own));
    }
}

void probe_own_folder(const Findings& out) {
    constexpr char kSubject[] = "Terrazzo's folder";
    std::string why;
    Places own;
    if (!find_places(&own, &why)) return out.wrong(kSubject, why, "install the libraries of this command");
    const std::string terrazzo = own.libraries + "/" + kTerrazzo;
    std::string good;
    // libterrazzo is loaded first: the others then find it loaded, wherever the folder is.
    for (const std::string& file : {terrazzo, own.drop_in + "/libEGL.so.1", own.drop_in + "/libGLESv2.so.2",
                                    own.drop_in + "/libGLESv1_CM.so.1"}) {
        const LibraryFile l = open_library_file(file, own);
        const std::string name = file.substr(file.rfind('/') + 1);
        if (l.handle)
            good.append(good.empty() ? "" : ", ").append(name);
        else
            out.wrong(name, l.why, "install what is missing, or Terrazzo again");
    }
    for (const Module& m : kModules) {
        const LibraryFile l = open_library_file(own.modules + "/" + m.file, own);
        const std::string fault = fault_of_module(l, m.entry, terrazzo);
        if (fault.empty())
            good.append(", ").append(m.file);
        else if (l.absent)
            out.unused(m.file, "is not in " + own.modules + ": " + m.without);
        else
            out.wrong(m.file, fault + ": " + m.without, "install what is missing, or Terrazzo again");
    }
    if (!good.empty()) out.works(kSubject, "loads: " + good, own.drop_in);
}

void probe_gbm_backend(const Findings& out) {
    const char* const backend = winsys::foreign_environment(ForeignVariable::GbmBackend);
    const char* const folders = winsys::foreign_environment(ForeignVariable::GbmFolders);
    if (!backend || !*backend) return;
    const Places own = own_places();
    const std::string subject = std::string("GBM_BACKEND=") + backend;
    const LibraryFile gbm = open_library_file("libgbm.so.1", own);
    if (is_terrazzo(gbm) || !file_contains(gbm.file, "GBM_BACKEND")) {
        out.unused(subject, "libgbm.so.1, as programs find it, does not read it");
        return;
    }
    if (!folders || !*folders) {
        out.unused(subject, "GBM_BACKENDS_PATH is not set: libgbm looks in the folder that it was built for");
        return;
    }
    for (const char* at = folders; *at;) {
        const size_t length = std::strcspn(at, ":");
        const std::string file = std::string(at, length) + "/" + backend + "_gbm.so";
        at += length + (at[length] == ':');
        const LibraryFile l = open_library_file(file, own);
        if (l.absent) continue;
        if (l.handle)
            out.works(subject, "libgbm's backend", l.file);
        else
            out.wrong(subject, l.why, "repair or remove that file");
        return;
    }
    out.wrong(subject,
              std::string("no folder of GBM_BACKENDS_PATH=") + folders + " has " + backend + "_gbm.so",
              own.gbm.empty() ? "unset both" : "GBM_BACKENDS_PATH=" + own.gbm);
}

void probe_preloads(const Findings& out) {
    const char* const list = winsys::foreign_environment(ForeignVariable::Preload);
    for (const char* at = list ? list : ""; *at;) {
        const size_t length = std::strcspn(at, ": ");
        const std::string name(at, length);
        at += length + (at[length] != '\0');
        if (name.empty()) continue;
        void* const loaded = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        const bool shim = name.ends_with("libterrazzo-shim.so");
        if (loaded)
            out.works("LD_PRELOAD",
                      shim ? "Terrazzo's shim: programs see the node of a virtual device in /dev/dri"
                           : "is loaded before all libraries",
                      real_path(name));
        else
            out.wrong("LD_PRELOAD", name + " is not loaded: " + open_library_file(name, {}).why,
                      "name a file that is there and for this machine, or unset LD_PRELOAD");
    }
}

}  // namespace terrazzo::command
