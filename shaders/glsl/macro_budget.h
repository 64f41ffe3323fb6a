// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How much a text's macros expand to, found without expanding them: source.cpp refuses what would be too much.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

inline constexpr unsigned kMaxMacroDepth = 200;
/// Tokens that are looked at to find that out: each definition changes what others may expand to.
inline constexpr uint64_t kMaxWeighed = 20'000'000;

/// An upper bound of how many tokens macros expand to.
class MacroBudget {
  public:
    void define(std::span<const Token> line) {  // behind "define"
        if (line.empty()) return;
        Macro m;
        size_t i = 1;
        if (line.size() > 1 && line[1].text == "(" && line[1].glued) {
            m.function = true;
            for (i = 2; i < line.size() && line[i].text != ")"; ++i)
                if (line[i].name) m.parameters.push_back(line[i].text);
            ++i;
        }
        for (; i < line.size(); ++i)
            m.body.push_back(line[i].text);
        macros_[line[0].text].push_back(std::move(m));
        weighed_.clear();
    }

    /// Cost of a run of tokens; `parameters` are those of the macro whose body it is.
    uint64_t weigh(std::span<const std::string_view> body, const std::vector<std::string_view>* parameters,
                   uint64_t& occurrences) {
        uint64_t cost = 0, factor = 1;
        if ((looked_at_ += body.size()) > kMaxWeighed) return kCap;
        std::vector<std::pair<unsigned, uint64_t>> open;  // depth and factor outside of enclosing macro calls
        unsigned depth = 0;
        for (size_t i = 0; i < body.size(); ++i) {
            const std::string_view t = body[i];
            if (t == "(") ++depth;
            if (t == ")") {
                if (depth) --depth;
                if (!open.empty() && open.back().first == depth) {
                    factor = open.back().second;
                    open.pop_back();
                }
            }
            if (parameters && std::find(parameters->begin(), parameters->end(), t) != parameters->end()) {
                occurrences = limit(occurrences + factor);
            } else if (auto it = macros_.find(t); it != macros_.end()) {
                const Weight w = weight(t, it->second);
                cost = limit(cost + limit(w.cost, factor));
                if (i + 1 < body.size() && body[i + 1] == "(") {
                    open.emplace_back(depth, factor);
                    factor = limit(factor, std::max<uint64_t>(1, w.factor));
                }
            } else {
                cost = limit(cost + factor);
            }
        }
        return cost;
    }
    [[nodiscard]] bool too_deep() const { return too_deep_; }
    [[nodiscard]] bool empty() const { return macros_.empty(); }

  private:
    struct Macro {
        bool function = false;
        std::vector<std::string_view> parameters, body;
    };
    struct Weight {
        uint64_t cost = 1, factor = 1;
    };
    static constexpr uint64_t kCap = uint64_t(1) << 40;
    static uint64_t limit(uint64_t x) { return std::min(x, kCap); }
    static uint64_t limit(uint64_t x, uint64_t y) { return x && y > kCap / x ? kCap : x * y; }

    Weight weight(std::string_view name, const std::vector<Macro>& definitions) {
        auto [it, fresh] = weighed_.try_emplace(name);
        if (!fresh) return it->second;
        if (++depth_ > kMaxMacroDepth) {
            too_deep_ = true;
            --depth_;
            return {};
        }
        Weight w;
        for (const Macro& m : definitions) {
            uint64_t occurrences = 0;
            w.cost = std::max(w.cost, weigh(m.body, &m.parameters, occurrences));
            w.factor = std::max(w.factor, occurrences);
            // A macro that becomes the name of another: the arguments are that one's.
            if (auto last = m.body.empty() ? macros_.end() : macros_.find(m.body.back());
                last != macros_.end())
                w.factor = std::max(w.factor, weight(last->first, last->second).factor);
        }
        --depth_;
        return weighed_[name] = w;
    }

    std::unordered_map<std::string_view, std::vector<Macro>> macros_;
    std::unordered_map<std::string_view, Weight> weighed_;
    uint64_t looked_at_ = 0;
    unsigned depth_ = 0;
    bool too_deep_ = false;
};

}  // namespace terrazzo::shaders::glsl
