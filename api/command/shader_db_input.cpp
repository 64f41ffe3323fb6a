// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_input.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <tuple>

#include "api/command/file.h"

namespace terrazzo::command::shader_db {

namespace {

namespace fs = std::filesystem;

/// Removes the extension, but keeps the folder.
std::string without_extension(const fs::path& path) {
    return (path.parent_path() / path.stem()).generic_string();
}

class Finder {
  public:
    bool add_argument(const std::string& argument, std::string* why) {
        std::error_code error;
        const fs::path path = fs::path(argument).lexically_normal();
        if (fs::is_directory(path, error)) return add_folder(path, why);
        if (fs::exists(path, error)) {
            if (add_file(path, path.filename())) return true;
            *why = argument + ": neither .shader_test nor .vert nor .frag nor .comp";
            return false;
        }
        if (const size_t comma = argument.find(','); comma != argument.npos) {
            const fs::path vertex = argument.substr(0, comma), fragment = argument.substr(comma + 1);
            if (fs::exists(vertex, error) && fs::exists(fragment, error)) {
                add_pair(vertex, fragment);
                return true;
            }
        }
        *why = argument + ": no such file or folder";
        return false;
    }

    std::vector<Input> take() {
        const auto by_files = [](const Input& a, const Input& b) {
            return std::tie(a.file, a.fragment) < std::tie(b.file, b.fragment);
        };
        std::sort(found_.begin(), found_.end(), by_files);
        const auto same_files = [](const Input& a, const Input& b) {
            return a.file == b.file && a.fragment == b.fragment;
        };
        found_.erase(std::unique(found_.begin(), found_.end(), same_files), found_.end());
        tell_apart();
        std::sort(found_.begin(), found_.end(),
                  [](const Input& a, const Input& b) { return a.name < b.name; });
        return std::move(found_);
    }

  private:
    bool add_folder(const fs::path& folder, std::string* why) {
        // "shaders/" and "shaders" are the same; "." and ".." have no names.
        const fs::path clean = folder.has_filename() ? folder : folder.parent_path();
        const fs::path own = clean.filename();
        const fs::path name = own == "." || own == ".." ? fs::path() : own;
        std::error_code error;
        const auto options = fs::directory_options::follow_directory_symlink;
        for (auto i = fs::recursive_directory_iterator(clean, options, error);
             !error && i != fs::recursive_directory_iterator(); i.increment(error))
            if (i->is_regular_file(error)) add_file(i->path(), name / i->path().lexically_relative(clean));
        if (error) *why = clean.string() + ": " + error.message();
        return !error;
    }

    /// False: it is not a shader's file.
    bool add_file(const fs::path& path, const fs::path& name) {
        const fs::path extension = path.extension();
        if (extension == ".shader_test") {
            found_.push_back({Input::Kind::ShaderTest, without_extension(name), path.string(), {}});
            return true;
        }
        if (extension == ".comp") {
            found_.push_back({Input::Kind::Compute, without_extension(name), path.string(), {}});
            return true;
        }
        if (extension != ".vert" && extension != ".frag") return false;
        fs::path vertex = path, fragment = path;
        vertex.replace_extension(".vert");
        fragment.replace_extension(".frag");
        std::error_code error;
        if (fs::exists(vertex, error) && fs::exists(fragment, error))
            found_.push_back(
                {Input::Kind::Pair, without_extension(name), vertex.string(), fragment.string()});
        else
            found_.push_back({Input::Kind::Lone, name.generic_string(), path.string(), {}});
        return true;
    }

    void add_pair(const fs::path& vertex, const fs::path& fragment) {
        const std::string a = vertex.stem().string(), b = fragment.stem().string();
        found_.push_back({Input::Kind::Pair, a == b ? a : a + "+" + b, vertex.string(), fragment.string()});
    }

    /// Renames programs with equal names after their files.
    void tell_apart() {
        std::map<std::string, unsigned> count;
        for (const Input& i : found_)
            count[i.name]++;
        for (Input& i : found_)
            if (count[i.name] > 1) i.name = i.fragment.empty() ? i.file : i.file + "," + i.fragment;
    }

    std::vector<Input> found_;
};

}  // namespace

bool find_inputs(std::span<const std::string> arguments, std::vector<Input>* out, std::string* why) {
    Finder finder;
    for (const std::string& argument : arguments)
        if (!finder.add_argument(argument, why)) return false;
    *out = finder.take();
    return true;
}

bool Shard::has(std::string_view name) const {
    uint64_t hash = 0xcbf29ce484222325;  // FNV-1a: the same on every machine
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return (hash >> 32) % count == index - 1;
}

std::optional<Shard> parse_shard(std::string_view text) {
    const size_t slash = text.find('/');
    if (slash == text.npos) return {};
    const auto number = [](std::string_view s, unsigned* n) {
        const auto r = std::from_chars(s.data(), s.data() + s.size(), *n);
        return r.ec == std::errc() && r.ptr == s.data() + s.size();
    };
    Shard s;
    if (!number(text.substr(0, slash), &s.index) || !number(text.substr(slash + 1), &s.count)) return {};
    return s.index >= 1 && s.index <= s.count ? std::optional(s) : std::nullopt;
}

Source load(const Input& input, const LoadOptions& options) {
    Source out;
    std::string text, why;
    const auto read = [&](const std::string& file) {
        text.clear();
        if (read_file(file, &text, &why)) return true;
        out.error = file + ": " + why;
        return false;
    };
    switch (input.kind) {
        case Input::Kind::Lone:
            out.skip = "the other stage's file is missing";
            break;
        case Input::Kind::ShaderTest:
            if (read(input.file)) return parse_shader_test(text, options);
            break;
        case Input::Kind::Compute:
            if (read(input.file)) return parse_compute(std::move(text), options);
            break;
        case Input::Kind::Pair: {
            std::string vertex;
            if (!read(input.file)) break;
            vertex.swap(text);
            if (read(input.fragment)) return parse_pair(std::move(vertex), std::move(text), options);
            break;
        }
    }
    return out;
}

}  // namespace terrazzo::command::shader_db
