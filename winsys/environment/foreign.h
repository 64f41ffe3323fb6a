// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Variables by which other loaders decide whether and how Terrazzo is loaded. Terrazzo itself does not read
// them: `terrazzo explain` says what they do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrazzo::winsys {

enum class ForeignVariable : uint8_t {
    Preload,          // the system's loader
    VendorFilenames,  // libglvnd, as the ones below up to GBM's
    VendorFolders,
    GbmBackend,  // Mesa's libgbm
    GbmFolders,
};
inline constexpr unsigned kForeignVariableCount = unsigned(ForeignVariable::GbmFolders) + 1;

[[nodiscard]] const char* name_of(ForeignVariable variable);
/// The value; null if it is unset, or if its reader ignores it because of elevated rights.
[[nodiscard]] const char* foreign_environment(ForeignVariable variable);
/// Variables that are set, have our prefix and are not in variable_rows(): probably misspelt. Sorted.
[[nodiscard]] std::vector<std::string> unknown_variables();

}  // namespace terrazzo::winsys
