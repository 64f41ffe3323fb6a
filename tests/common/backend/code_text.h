// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A compiler's code as text, for tests of its passes. parse() reads what print() writes. A vendor has
//     void print_inst(const Code&, const Inst&, std::string*), bool parse_inst(Code&, line, Inst*, error).
//     %70: r x2                   a node that is not one word of class 0: class, words, "temporary"
//     block0:
//       ...                       an instruction, as the vendor prints and parses it
// A word is printed as %N, the further words of a run as %N.1, %N.2, ...; N is the number of the run's first
// word. A register is printed as its class' prefix and a number. After allocation all words are printed as
// registers.
#pragma once

#include <charconv>
#include <string_view>

#include "drivers/common/backend/validate.h"
#include "drivers/common/isa/line.h"
#include "drivers/common/isa/text.h"

namespace terrazzo::backend {

/// These parse a piece at the front of *text and remove it. False: there is no such piece, *text is
/// unchanged.
[[nodiscard]] inline bool take_number(std::string_view* text, uint32_t* number) {
    const auto got = std::from_chars(text->data(), text->data() + text->size(), *number);
    if (got.ec != std::errc()) return false;
    text->remove_prefix(size_t(got.ptr - text->data()));
    return true;
}
[[nodiscard]] inline bool take_prefix(std::string_view* text, std::string_view prefix) {
    if (!text->starts_with(prefix)) return false;
    text->remove_prefix(prefix.size());
    return true;
}
/// Removes lines up to the next one that is not blank, which it returns trimmed. *number counts all lines.
[[nodiscard]] inline bool take_line(std::string_view* text, unsigned* number, std::string_view* line) {
    while (isa::next_part(text, '\n', line)) {
        ++*number;
        if (!line->empty()) return true;
    }
    return false;
}

/// Parses a word's name and removes it from *text. A word that was not declared has class 0.
template <Target T>
[[nodiscard]] bool take_word(Function<T>& f, std::string_view* text, Word* word) {
    std::string_view rest = *text;
    uint32_t number = 0, index = 0;
    if (take_prefix(&rest, "%")) {
        constexpr uint32_t kMaxWords = 1u << 16;
        if (!take_number(&rest, &number) || number >= kMaxWords) return false;
        // Words have the numbers of the text: the words between them are not used.
        while (f.words() <= number)
            f.add_node(1);
        const Word first{number};
        const Node& n = f.node(first);
        if (n.fixed || n.first != first) return false;
        std::string_view part = rest;
        if (take_prefix(&part, ".") && take_number(&part, &index)) rest = part;
        if (index >= n.count) return false;
        *word = first + index;
        *text = rest;
        return true;
    }
    for (uint8_t c = 0; c < std::size(T::kClasses); c++) {
        std::string_view name = *text;
        const RegisterClass& row = T::kClasses[c];
        if (!take_prefix(&name, row.prefix) || !take_number(&name, &number)) continue;
        if (number >= row.end / row.width) return false;
        *word = f.fixed_word(Unit(number * row.width), c);
        *text = name;
        return true;
    }
    return false;
}

/// A word's name, in both directions. False: it is not `present`, or the line has none here. Printing does
/// not change the code.
template <typename T>
bool text_of_word(isa::Line& line, Function<T>& f, bool present, Word& word) {
    std::string name;
    if (line.parses()) {
        std::string_view rest = line.rest();
        const bool found = take_word(f, &rest, &word);
        if (found) line.skip(line.rest().size() - rest.size());
        return found;
    }
    if (present) name = name_of(f, word);
    return line.is(name, present);
}

template <Target T>
[[nodiscard]] std::string print(const typename T::Code& f) {
    std::string out;
    ByNode<uint8_t> used(f.nodes.size(), 0, f.memory);
    for (const auto& b : f.blocks)
        for (const auto& i : b.insts) {
            const auto mark = [&](Word w, uint32_t) { used[f.node_of[w]] = 1; };
            T::for_each_read(i, mark);
            T::for_each_write(i, mark);
        }
    for (const Node& n : f.nodes) {
        if (!f.reg.empty() || !n.count || !used[f.node_of[n.first]] || n.fixed ||
            (n.count == 1 && !n.cls && !n.temporary))
            continue;
        out += "%" + std::to_string(number_of(n.first)) + ": " + T::kClasses[n.cls].prefix + " x" +
               std::to_string(n.count) + (n.temporary ? " temporary\n" : "\n");
    }
    for (size_t b = 0; b < f.blocks.size(); b++) {
        out += "block" + std::to_string(b) + ":\n";
        for (const auto& i : f.blocks[b].insts) {
            out += "  ";
            print_inst(f, i, &out);
            out += "\n";
        }
    }
    return out;
}

/// Parses "%N: class xCOUNT [temporary]". N must be greater than the number of any word before it.
template <Target T>
[[nodiscard]] bool parse_node(Function<T>& f, std::string_view line) {
    uint32_t number = 0, count = 0;
    if (!take_prefix(&line, "%") || !take_number(&line, &number) || !take_prefix(&line, ": ")) return false;
    constexpr uint32_t kMaxCount = 64;
    for (uint8_t c = 0; c < std::size(T::kClasses); c++) {
        std::string_view rest = line;
        if (!take_prefix(&rest, T::kClasses[c].prefix) || !take_prefix(&rest, " x")) continue;
        if (!take_number(&rest, &count) || !count || count > kMaxCount) return false;
        const bool temporary = take_prefix(&rest, " temporary");
        if (!rest.empty() || number < f.words()) return false;
        while (f.words() < number)
            f.add_node(1);
        f.add_node(count, temporary, c);
        return true;
    }
    return false;
}

/// Parses code into `*f`, which must be empty, and links it. False: *why is the error, mostly with the line;
/// *f must not be used.
template <Target T>
[[nodiscard]] bool parse(std::string_view text, typename T::Code* f, std::string* why) {
    unsigned number = 0;
    std::string_view line;
    const auto refuse = [&](const std::string& what) {
        *why = "line " + std::to_string(number) + ": " + what;
        return false;
    };
    while (take_line(&text, &number, &line)) {
        if (line.starts_with('%') && line.find(": ") < line.find(' ')) {
            if (!parse_node(*f, line)) return refuse("no node, or not in the order of numbers");
        } else if (line == "block" + std::to_string(f->blocks.size()) + ":") {
            f->blocks.emplace_back(f->memory);
        } else if (f->blocks.empty()) {
            return refuse("an instruction before block0");
        } else {
            typename T::Inst i;
            if (std::string what; !parse_inst(*f, line, &i, &what)) return refuse(what);
            bool inside = true;
            const auto check = [&](Word w, uint32_t count) {
                inside &= number_of(w) < f->words() && count <= f->words() - number_of(w);
            };
            T::for_each_read(i, check);
            T::for_each_write(i, check);
            if (!inside) return refuse("a word that is not there");
            f->blocks.back().insts.push_back(i);
        }
    }
    for (const auto& b : f->blocks)
        for (const auto& i : b.insts)
            if (T::is_branch(i) && size_t(T::branch_target(i)) >= f->blocks.size())
                return *why = "a branch to a block that is not there", false;
    f->link();
    return true;
}

}  // namespace terrazzo::backend
