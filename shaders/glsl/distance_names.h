// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Handles the names of EXT_clip_cull_distance, which glslang does not know in ESSL: they are renamed
// (DistanceNames). The new name is known at the text's end. It is a member of gl_PerVertex after a dot, in a
// block, and, outside of fragment shaders and ESSL 3.00, if the text declares no variable of the name;
// otherwise it is a variable.
#pragma once

#include <vector>

#include "shaders/glsl/source.h"
#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class DistanceRenamer {
  public:
    DistanceRenamer(TextEdits& edits, Source& out, ir::Stage stage)
        : edits_(edits), out_(out), stage_(stage) {}
    void enable(bool on) { enabled_ = on; }
    /// Receives every token outside of directives.
    void token(const Token& t, unsigned nesting);
    struct Error {
        uint32_t line = 0;  // 0: no error
        const char* rule = "";
    };
    /// Renames, and declares names that the text uses and does not declare.
    [[nodiscard]] Error finish(int version);

  private:
    struct Names {
        std::vector<std::string_view> members, bare;
        bool declared = false;     // as a variable
        uint32_t length_line = 0;  // the line in which its length is queried
    };
    void rename(std::string_view text, std::string_view name, std::string_view with);

    TextEdits& edits_;
    Source& out_;
    const ir::Stage stage_;
    bool enabled_ = false;
    bool in_block_ = false;  // gl_PerVertex
    Error error_;
    std::string_view last_, before_last_;  // tokens
    Names names_[2];                       // in the order of kDistanceNames
};

}  // namespace terrazzo::shaders::glsl
