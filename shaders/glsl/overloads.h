// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glslang's built-in functions, declared when a text first names them. A version of ESSL has about a thousand
// declarations; parsing all of them takes longer than most shaders, and a program uses a few dozen. So the
// tables of a version get one declaration of each function, which is enough to refuse a shader's own function
// of that name. The other overloads are parsed with the first text that names the function, and then belong
// to the tables.
//
// All of this is process-wide, like glslang's tables: overloads_declared() needs LibraryUse's lock shared,
// the others need it exclusive.
#pragma once

#include <string_view>

#include "shaders/glsl/ast.h"
#include "shaders/glsl/library.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"
#include <glslang/MachineIndependent/SymbolTable.h>
#pragma GCC diagnostic pop

namespace terrazzo::shaders::glsl {

/// The function that a declaration of glslang's text declares; empty: it declares a variable.
[[nodiscard]] std::string_view function_of(std::string_view declaration);

/// Calls `f` for each declaration of a text, with its semicolon. The last one may be white space.
template <class F>
void for_each_declaration(std::string_view all, F&& f) {
    for (size_t at = 0; at < all.size();) {
        const size_t semicolon = all.find(';', at);
        const size_t end = semicolon == all.npos ? all.size() : semicolon + 1;
        f(all.substr(at, end - at));
        at = end;
    }
}

/// Removes all declarations of a function but the first from the texts of a version: `common` to all stages,
/// and `stages` (an array of EShLangCount).
void take_overloads(int version, ::glslang::TString& common, ::glslang::TString* stages);

/// Whether the stage's table has all functions that the text names. Needs complete tables of the version.
[[nodiscard]] bool overloads_declared(int version, const ParserText& text);

/// Appends the overloads that the text names and the stage's table lacks.
void append_overloads(int version, const ParserText& text, ::glslang::TString& to);

/// Copies what was parsed from append_overloads()' text to the stage's table.
void keep_overloads(::glslang::TSymbolTable& symbols);

/// glslang's tables are gone.
void forget_overloads();

}  // namespace terrazzo::shaders::glsl
