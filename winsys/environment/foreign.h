// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Variables that other loaders read before Terrazzo is there, and that decide whether it comes at all. Terrazzo itself obeys none
// of them: `terrazzo explain` says what they do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrazzo::winsys {

enum class ForeignVariable : uint8_t {
    Preload,          // the system's loader
    VendorFilenames,  // libglvnd, as all that follow up to GBM's
    VendorFolders,
    GbmBackend,  // Mesa's libgbm
    GbmFolders,
};
inline constexpr unsigned kForeignVariableCount = unsigned(ForeignVariable::GbmFolders) + 1;

[[nodiscard]] const char* name_of(ForeignVariable variable);
/// The value; null where it is not set, or where its reader ignores it because of elevated rights.
[[nodiscard]] const char* foreign_environment(ForeignVariable variable);
/// Names that are set, begin as ours do and are none of variable_rows(): misspelt ones. Sorted.
[[nodiscard]] std::vector<std::string> unknown_variables();

}  // namespace terrazzo::winsys
