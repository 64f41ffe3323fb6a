// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// piglit's .shader_test files, parsed as in its tests/shaders/shader_runner.c, the comments of its
// glslparsertest, and the choice of programs.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "api/command/shader_db_desktop.h"
#include "api/command/shader_db_input.h"
#include "api/command/shader_db_template.h"
#include "state_tracker/gl_extensions.h"

namespace terrazzo::command::shader_db {

namespace {

constexpr double kNewestDesktop = 1.2;  // the newest desktop version that is tried as GLSL ES
constexpr double kNewestEs = 3.2;

std::string_view trimmed(std::string_view s) {
    const size_t begin = s.find_first_not_of(" \t\r"), end = s.find_last_not_of(" \t\r");
    return begin == s.npos ? std::string_view() : s.substr(begin, end + 1 - begin);
}

/// Removes the first line from `text`.
std::string_view next_line(std::string_view* text) {
    const size_t end = std::min(text->find('\n'), text->size());
    const std::string_view line = text->substr(0, end);
    text->remove_prefix(std::min(end + 1, text->size()));
    return line;
}

/// The version in a line: 1.0 for "GLSL ES >= 1.00" and "GLSL ES". Negative: the line is about something
/// else.
double version_of(std::string_view line, std::string_view what) {
    if (!line.starts_with(what)) return -1;
    const std::string_view rest = trimmed(line.substr(what.size()));
    const size_t digit = rest.find_first_of("0123456789");
    if (rest.empty() || digit == rest.npos ||
        std::string_view("<>=!").find(rest[0]) == std::string_view::npos)
        return -1;
    return std::strtod(std::string(rest.substr(digit)).c_str(), nullptr);
}

bool has_extension(std::string_view name) {
    for (const std::string_view known : st::kExtensionNames)
        if (known == name) return true;
    return false;
}

struct Test {
    std::string vertex, fragment, compute, skip;
    bool has_vertex = false, has_fragment = false, has_compute = false;
    bool is_es = false, is_desktop = false;
    bool wants_error = false, need_not_link = false;
    double glsl = 0;
};

void skip(Test* t, std::string reason) {
    if (t->skip.empty()) t->skip = std::move(reason);
}

void read_requirement(std::string_view line, Test* t) {
    if (const double es = version_of(line, "GL ES"); es >= 0) {
        t->is_es = true;
        if (es > kNewestEs) skip(t, "needs a later OpenGL ES than 3.2");
    } else if (const double essl = version_of(line, "GLSL ES"); essl >= 0) {
        t->is_es = true;
        if (essl > kNewestEs) skip(t, "needs a later GLSL ES than 3.20");
    } else if (const double glsl = version_of(line, "GLSL"); glsl >= 0) {
        t->is_desktop = true;
        t->glsl = glsl;
    } else if (version_of(line, "GL") >= 0) {
        t->is_desktop = true;
    } else if (line.starts_with("GL_") && line.find_first_of(" \t") == line.npos && !has_extension(line)) {
        skip(t, "needs " + std::string(line));
    } else if (line.starts_with("!") && has_extension(line.substr(1))) {
        skip(t, "needs that there is no " + std::string(line.substr(1)));
    } else if (line.starts_with("SSO")) {
        skip(t, "is about separate programs");
    }
}

/// The destination of the section's lines; null: they are ignored.
std::string* start_section(std::string_view name, Test* t) {
    const bool passthrough = name == "vertex shader passthrough";
    if (name == "vertex shader" || passthrough) {
        if (std::exchange(t->has_vertex, true)) skip(t, "has several vertex shaders");
        if (passthrough)
            t->vertex = "attribute vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n";
        return passthrough ? nullptr : &t->vertex;
    }
    if (name == "fragment shader") {
        if (std::exchange(t->has_fragment, true)) skip(t, "has several fragment shaders");
        return &t->fragment;
    }
    if (name == "compute shader") {
        if (std::exchange(t->has_compute, true)) skip(t, "has several compute shaders");
        return &t->compute;
    }
    if (name.find("shader") != name.npos) skip(t, "has a " + std::string(name));
    return nullptr;
}

Test read_test(std::string_view text) {
    Test t;
    std::string_view section;
    std::string* shader = nullptr;
    while (!text.empty()) {
        const std::string_view line = next_line(&text);
        if (line.starts_with('[')) {
            section = line.substr(1, std::min(line.find(']'), line.size()) - 1);
            shader = start_section(section, &t);
        } else if (shader) {
            shader->append(line).append("\n");
        } else if (section == "require") {
            read_requirement(trimmed(line), &t);
        } else if (section == "test" && trimmed(line) == "link error") {
            t.wants_error = true;
        }
    }
    return t;
}

struct Version {
    int number = 0;  // 0: not specified
    bool es = false;
};

Version declared_version(std::string_view text) {
    const size_t at = text.find("#version");
    if (at == text.npos) return {};
    text.remove_prefix(at);
    const std::string_view line = trimmed(next_line(&text));
    return {std::atoi(std::string(line.substr(std::string_view("#version").size())).c_str()),
            line.ends_with("es")};
}

/// The lines from "// [config]" to "// [end config]".
void read_config(std::string_view text, Test* t) {
    const size_t begin = text.find("[config]");
    if (begin == text.npos) return;
    text = text.substr(begin, text.find("[end config]", begin) - begin);
    bool linked = false;
    while (!text.empty()) {
        std::string_view line = next_line(&text);
        line.remove_prefix(std::min(line.find_first_not_of("/* \t"), line.size()));
        const auto value = [&](std::string_view key) {
            return line.starts_with(key) ? trimmed(line.substr(key.size())) : std::string_view();
        };
        if (value("expect_result:").starts_with("fail")) t->wants_error = true;
        linked |= value("check_link:") == "true";
        if (const auto version = value("glsl_version:"); !version.empty())
            read_requirement((version.ends_with("es") ? "GLSL ES >= " : "GLSL >= ") + std::string(version),
                             t);
        for (std::string_view rest = value("require_extensions:"); !rest.empty();) {
            const size_t end = std::min(rest.find(' '), rest.size());
            read_requirement(rest.substr(0, end), t);
            rest = trimmed(rest.substr(end));
        }
    }
    t->need_not_link |= !linked;
}

Source finish(Test t, const LoadOptions& options) {
    Source out;
    if (!t.is_es) {
        // By default piglit assumes GLSL 1.10.
        const bool old = t.glsl <= kNewestDesktop;
        if (!old || !options.desktop)
            skip(&t, old ? "is desktop GLSL up to 1.20" : "is desktop GLSL from 1.30");
        out.may_fail = true;
        out.may_fail_reason = "is no GLSL ES, too";
    }
    if (!t.has_vertex && !t.has_compute) skip(&t, "has no vertex shader");
    if (!t.has_fragment && !t.has_compute) skip(&t, "has no fragment shader");
    if (t.has_compute && (t.has_vertex || t.has_fragment)) skip(&t, "has a compute shader and others");
    if (t.wants_error) {
        out.may_fail = true;
        out.may_fail_reason = "must not compile or link";
    }
    if (t.need_not_link && !out.may_fail) {
        out.may_fail = true;
        out.may_fail_reason = "is no whole program";
    }
    out.skip = std::move(t.skip);
    if (!out.skip.empty()) return out;
    out.compute = std::move(t.compute);
    if (t.has_compute) return out;
    out.vertex = t.is_es ? std::move(t.vertex) : desktop_as_es(t.vertex, true);
    out.fragment = t.is_es ? std::move(t.fragment) : desktop_as_es(t.fragment, false);
    return out;
}

/// Reads the version numbers in the shaders.
void read_versions(Test* t) {
    constexpr int kEs = 100;
    for (const std::string* shader : {&t->vertex, &t->fragment, &t->compute}) {
        const Version v = declared_version(*shader);
        if (v.number == 0) continue;
        const bool es = v.es || v.number == kEs;
        if (es && v.number > 100 * kNewestEs) skip(t, "needs a later GLSL ES than 3.20");
        if (es)
            t->is_es = true;
        else
            t->is_desktop = true, t->glsl = std::max(t->glsl, v.number / 100.0);
    }
}

}  // namespace

Source parse_shader_test(std::string_view text, const LoadOptions& options) {
    Test t = read_test(text);
    read_versions(&t);
    return finish(std::move(t), options);
}

Source parse_pair(std::string vertex, std::string fragment, const LoadOptions& options) {
    Test t;
    t.has_vertex = t.has_fragment = true;
    read_config(vertex, &t);
    read_config(fragment, &t);
    t.vertex = std::move(vertex);
    t.fragment = std::move(fragment);
    read_versions(&t);
    t.is_es |= !t.is_desktop && !looks_like_desktop(t.vertex, true) && !looks_like_desktop(t.fragment, false);
    if (t.is_es) {
        t.vertex = complete_template(std::move(t.vertex));
        t.fragment = complete_template(std::move(t.fragment));
    }
    return finish(std::move(t), options);
}

Source parse_compute(std::string compute, const LoadOptions& options) {
    Test t;
    t.has_compute = true;
    read_config(compute, &t);
    t.compute = std::move(compute);
    read_versions(&t);
    return finish(std::move(t), options);
}

}  // namespace terrazzo::command::shader_db
