// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo explain`: tests everything that decides what a program gets, and reports what was found, what was
// rejected and what to do.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>

#include "api/command/commands.h"
#include "api/command/explain/probes.h"
#include "api/command/explain/report.h"

namespace terrazzo::command {
namespace {

struct Row {
    const char *section, *title;  // starts a new section; null: continues the last one
    Probe probe;
};
constexpr Row kRows[] = {
    {"program", "What a program on Terrazzo gets (terrazzo info says more)", {"program", probe_program}},
    {"libraries", "Libraries that a program started now finds", {"libraries", probe_libraries}},
    {nullptr, nullptr, {"LD_PRELOAD", probe_preloads}},
    {nullptr, nullptr, {"GBM_BACKEND", probe_gbm_backend}},
    {nullptr, nullptr, {"Terrazzo's folder", probe_own_folder}},
    {"vendors", "Vendors of libglvnd, in the order in which it asks them", {"vendors", probe_vendors}},
    {"devices", "Devices", {"soft", probe_soft}},
    {nullptr, nullptr, {"/dev/dri", probe_nodes}},
    {nullptr, nullptr, {"TERRAZZO_DEVICE", probe_chosen_device}},
    {nullptr, nullptr, {"/dev/udmabuf", probe_shared_memory}},
    {"platforms", "Platforms of EGL", {"surfaceless", probe_surfaceless}},
    {nullptr, nullptr, {"device", probe_device_platform}},
    {nullptr, nullptr, {"GBM", probe_gbm_platform}},
    {nullptr, nullptr, {"Wayland", probe_wayland}},
    {nullptr, nullptr, {"X11", probe_x11}},
    {"surroundings", "Surroundings", {"shader cache", probe_shader_cache}},
    {nullptr, nullptr, {"rights", probe_rights}},
    {nullptr, nullptr, {"environment", probe_environment}},
};

/// Opens the standard files, so that a pipe does not become descriptor 1 and is then closed by a later dup2.
void open_standard_files() {
    int fd = -1;
    do
        fd = open("/", O_RDONLY | O_DIRECTORY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

}  // namespace

int explain(const ExplainOptions& options) {
    open_standard_files();
    std::vector<Probe> probes;
    for (const Row& r : kRows)
        probes.push_back(r.probe);
    std::vector<std::vector<Finding>> found = run_probes(probes, int(options.timeout_s) * 1000);
    Report report;
    report.works = !found[0].empty() && found[0][0].level == Level::Works;
    for (size_t i = 0; i < std::size(kRows); ++i) {
        if (kRows[i].section) report.sections.push_back({kRows[i].section, kRows[i].title, {}});
        std::vector<Finding>& to = report.sections.back().findings;
        to.insert(to.end(), found[i].begin(), found[i].end());
    }
    const std::string text = options.json ? json_of(report) : page_of(report);
    std::fputs(text.c_str(), stdout);
    return report.works ? 0 : 1;
}

}  // namespace terrazzo::command
