// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/hidden_functions.h"

#include "shaders/glsl/language_functions.h"

namespace terrazzo::shaders::glsl {

std::string_view HiddenFunctions::declared(const Token& t, unsigned nesting) {
    const bool ends = t.text == ";" || t.text == "," || t.text == "=" || t.text == "[";
    const bool variable = ends && (before_is_name_ || before_last_ == "]" || before_last_ == ",");
    const bool structure = t.text == "{" && before_last_ == "struct";
    std::string_view name;
    if (nesting == 0 && last_is_name_ && (variable || structure) && !hidden_.count(last_) &&
        version_of_function(last_)) {
        name = last_;
        hidden_.insert(name);
    }
    before_last_ = last_;
    before_is_name_ = last_is_name_;
    last_ = t.text;
    last_is_name_ = t.name;
    return name;
}

}  // namespace terrazzo::shaders::glsl
