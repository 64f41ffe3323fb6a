// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/vendor_file.h"

#include <dlfcn.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "api/command/file.h"

namespace terrazzo::command {
std::string vendor_library(const std::string& file, std::string* why) {
    std::string text;
    if (!read_file(file, &text, why)) return {};
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) {
        *why = "it is no JSON";
        return {};
    }
    const auto text_at = [](const nlohmann::json& object, const char* key) {
        const auto it = object.is_object() ? object.find(key) : object.end();
        return it != object.end() && it->is_string() ? it->get<std::string>() : "";
    };
    const std::string version = text_at(json, "file_format_version");
    if (version != "1" && version != "1.0" && !version.starts_with("1.0.")) {
        *why = version.empty() ? "it has no file_format_version"
                               : "file_format_version is " + version + ", and libglvnd reads 1.0";
        return {};
    }
    const auto icd = json.find("ICD");
    const std::string library = icd == json.end() ? "" : text_at(*icd, "library_path");
    if (library.empty()) *why = "ICD has no library_path";
    return library;
}

std::string vendor_library_path(const std::string& file, const std::string& library) {
    const bool relative = library[0] != '/' && library.find('/') != library.npos;
    return relative ? file.substr(0, file.rfind('/') + 1) + library : library;
}

bool check_own_vendor(const Places& places, std::string* why) {
    const std::string& description = places.vendor;
    if (access(description.c_str(), R_OK) != 0) {
        *why = description + " is missing (built without glvnd, or not installed)";
        return false;
    }
    const std::string library = vendor_library(description, why);
    if (library.empty()) {
        *why = description + ": " + *why;
        return false;
    }
    if (dlopen(vendor_library_path(description, library).c_str(), RTLD_LAZY | RTLD_LOCAL)) return true;
    const char* const reason = dlerror();
    *why = description + " names " + library +
           ", which cannot be loaded: " + (reason ? reason : "no reason is known");
    return false;
}

}  // namespace terrazzo::command
