// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: ld.so(8); libglvnd's src/EGL/icd_enumeration.md; Mesa's src/gbm/main/backend.c.
#include "winsys/environment/foreign.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "winsys/environment/environment.h"

namespace terrazzo::winsys {
namespace {

constexpr const char* kNames[] = {"LD_PRELOAD", "__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS",
                                  "GBM_BACKEND", "GBM_BACKENDS_PATH"};
static_assert(std::size(kNames) == kForeignVariableCount);
constexpr std::string_view kOurs = "TERRAZZO_";

}  // namespace

const char* name_of(ForeignVariable variable) {
    return kNames[unsigned(variable)];
}

const char* foreign_environment(ForeignVariable variable) {
    return has_elevated_rights() ? nullptr : std::getenv(name_of(variable));
}

std::vector<std::string> unknown_variables() {
    std::vector<std::string> names;
    for (char** e = environ; e && *e; ++e) {
        const std::string_view text = *e, name = text.substr(0, text.find('='));
        const auto is_it = [&](const VariableRow& row) { return name == row.name; };
        if (name.starts_with(kOurs) && std::ranges::none_of(variable_rows(), is_it)) names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace terrazzo::winsys
