// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random GLSL statements: assignments of expressions, ifs, loops. A derived class defines what can be read
// and assigned. Each random choice is a separate statement, because C++ compilers evaluate operands in
// different orders.
#pragma once

#include <random>
#include <string>

namespace terrazzo::compiled {

class ShaderGenerator {
  public:
    explicit ShaderGenerator(unsigned seed) : random_(seed) {}
    virtual ~ShaderGenerator() = default;

  protected:
    /// Both of `n` components: a variable; an expression that is not assigned.
    virtual std::string variable(unsigned n) = 0;
    virtual std::string leaf(unsigned n) = 0;
    /// One of `others` further operations on p and q.
    virtual std::string other(unsigned which, unsigned n, unsigned depth, const std::string& p,
                              const std::string& q) = 0;
    virtual std::string assignment() = 0;
    /// The condition of an if; a float that loops count up to. Neither may depend on rounding.
    virtual std::string condition() = 0;
    virtual std::string turns() = 0;

    unsigned pick(unsigned n) { return unsigned(random_() % n); }
    std::string expression(unsigned n, unsigned depth, unsigned others) {
        if (!depth) return pick(3) ? variable(n) : leaf(n);
        const std::string p = expression(n, depth - 1, others);
        const std::string q = expression(n, depth - 1, others);
        constexpr unsigned kCommon = 9;
        const unsigned which = pick(kCommon + others);
        switch (which) {
            case 0:
            case 1:
                return "(" + p + " + " + q + ")";
            case 2:
                return "(" + p + " - " + q + ")";
            case 3:
                return "(" + p + " * " + q + ")";
            case 4:
                return "(" + p + " * " + q + " + " + expression(n, 0, others) + ")";
            case 5:
                return "min(" + p + ", " + q + ")";
            case 6:
                return "max(" + p + ", -(" + q + "))";
            case 7:
                return "clamp(" + p + ", 0.0, 1.0)";
            case 8:
                return "abs(" + p + ")";
            default:
                return other(which - kCommon, n, depth, p, q);
        }
    }
    std::string statement(unsigned depth) {
        const unsigned kind = depth ? pick(6) : 0;
        if (kind < 3) return assignment();
        std::string body = statement(depth - 1);
        body += statement(depth - 1);
        if (kind < 5) {
            const std::string no = pick(2) ? " else { " + statement(depth - 1) + "}" : "";
            return "if (" + condition() + ") { " + body + "}" + no + "\n";
        }
        const std::string i = "i" + std::to_string(loops_++);
        return "for (int " + i + " = 0; " + i + " < 20; " + i + "++) { if (float(" + i + ") > " + turns() +
               ") break;\n" + body + "}\n";
    }

  private:
    std::mt19937 random_;
    unsigned loops_ = 0;
};

}  // namespace terrazzo::compiled
