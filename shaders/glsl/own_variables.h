// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The variables of extensions that glslang does not know: gl_InstanceIDEXT of EXT_draw_instanced, and what
// EXT_shader_framebuffer_fetch adds: gl_LastFragData in ESSL 1.00, `inout` outputs in ESSL 3.00. The text is
// changed so that glslang sees uniforms and plain outputs; the walker gives them their meaning.
#pragma once

#include <string_view>
#include <vector>

#include "shaders/glsl/source.h"
#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class OwnVariables {
  public:
    OwnVariables(TextEdits& edits, Source& out) : edits_(edits), out_(out) {}
    void enable_instance_id(bool on) { draw_instanced_ = on; }
    /// EXT_separate_shader_objects: ESSL 3.00 may declare gl_Position and gl_PointSize again.
    void enable_separate() { separate_ = true; }
    /// With EXT_shader_framebuffer_fetch, and with its non-coherent form.
    void enable_fetch(bool on) { coherent_ = on; }
    void enable_non_coherent_fetch(bool on) { non_coherent_ = on; }
    /// OES_viewport_array: gl_ViewportIndex, its `declaration` without the name, or empty where the stage has none; gl_MaxViewports.
    void enable_viewport_array(bool on, std::string_view declaration) {
        viewport_array_ = on;
        viewport_index_ = on ? declaration : std::string_view();
    }

    /// Sees every token outside of directives. `nesting`: brackets around it, itself not counted where it
    /// opens one and counted where it closes one. A built-in output that the statement declares `inout`, which
    /// none is; empty: nothing is wrong.
    [[nodiscard]] std::string_view token(const Token& t, unsigned nesting, int version);
    /// Adds what the text named to the preamble.
    void declare();

  private:
    bool rename(const Token& t);
    void remove_statement(std::string_view first, std::string_view last);
    void end_layout();
    std::string_view note_fetched_outputs();

    TextEdits& edits_;
    Source& out_;
    std::vector<std::string_view> global_;  // the statement so far, outside of brackets
    std::vector<std::string_view> layout_;  // a layout so far, from its name on
    bool draw_instanced_ = false;           // enabled here, as the next two
    bool coherent_ = false, non_coherent_ = false;
    bool names_instance_ = false, names_last_ = false;  // the text has their variables
    bool redeclares_ = false;                           // the statement declares gl_LastFragData again
    bool inout_ = false;                                // the statement declares outputs that are read, too
    bool says_non_coherent_ = false;                    // it has that in its layout
    bool separate_ = false,
         redeclares_output_ = false;  // the statement declares gl_Position or gl_PointSize again
    std::string_view last_precision_ = "mediump";
    std::string_view viewport_index_;  // how it is declared; empty: it is not enabled
    bool viewport_array_ = false, names_max_viewports_ = false;
    std::string_view viewport_named_;  // the same, once the text has named it
};

}  // namespace terrazzo::shaders::glsl
