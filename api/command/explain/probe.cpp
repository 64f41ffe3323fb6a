// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/explain/probe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "winsys/clock.h"

namespace terrazzo::command {
namespace {

constexpr size_t kMostBytes = 1 << 20;  // of output of a probe
constexpr unsigned kMostLines = 8;      // of printed text of a probe

/// One probe's process, and the pipes from it.
struct Child {
    pid_t pid = -1;
    int findings = -1, printed = -1;
    std::string bytes, text;
    std::string failure;  // why there is no process
};

int64_t now_ms() {
    return int64_t(winsys::monotonic_ns() / 1'000'000);
}

/// Never returns.
[[noreturn]] void run_child(const Probe& probe, int findings, int printed) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Output of libraries must not mix with the lines of the report.
    (void)dup2(printed, STDOUT_FILENO);
    (void)dup2(printed, STDERR_FILENO);
    std::signal(SIGPIPE, SIG_IGN);
    probe.run(Findings(findings));
    _exit(0);
}

Child start(const Probe& probe) {
    Child c;
    int findings[2] = {-1, -1}, printed[2] = {-1, -1};
    if (pipe2(findings, O_CLOEXEC) == 0 && pipe2(printed, O_CLOEXEC) == 0) c.pid = fork();
    if (c.pid == 0) run_child(probe, findings[1], printed[1]);
    if (c.pid < 0) c.failure = std::strerror(errno);
    for (const int fd : {findings[1], printed[1]})
        if (fd >= 0) close(fd);
    c.findings = findings[0];
    c.printed = printed[0];
    return c;
}

/// Reads available bytes. Closes the pipe at its end.
void read_some(int* fd, std::string* out) {
    char block[4096];
    const ssize_t n = read(*fd, block, sizeof block);
    if (n < 0 && errno == EINTR) return;
    if (n > 0 && out->size() < kMostBytes) {
        out->append(block, size_t(n));
        return;
    }
    close(*fd);
    *fd = -1;
}

/// Reads until the end of all pipes, or until the time is over.
void read_all(std::vector<Child>* children, int limit_ms) {
    const int64_t end_ms = now_ms() + limit_ms;
    for (;;) {
        std::vector<pollfd> open;
        std::vector<std::pair<int*, std::string*>> of;
        for (Child& c : *children)
            for (const auto& [fd, text] : {std::pair{&c.findings, &c.bytes}, std::pair{&c.printed, &c.text}})
                if (*fd >= 0) open.push_back({*fd, POLLIN, 0}), of.emplace_back(fd, text);
        const int64_t left_ms = end_ms - now_ms();
        if (open.empty() || left_ms <= 0) return;
        if (poll(open.data(), open.size(), int(left_ms)) <= 0) continue;
        for (size_t i = 0; i < open.size(); ++i)
            if (open[i].revents) read_some(of[i].first, of[i].second);
    }
}

/// How the process ended, as a sentence; empty: normally.
std::string end_of(Child* c, int limit_ms) {
    if (c->pid < 0) return "could not be looked at: " + c->failure;
    const bool late = c->findings >= 0 || c->printed >= 0;
    for (int* fd : {&c->findings, &c->printed})
        if (*fd >= 0) close(*fd);
    // A process that hangs in a kernel driver cannot be killed at once. It is not waited for.
    if (late) kill(c->pid, SIGKILL);
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 100 && (ended = waitpid(c->pid, &status, late ? WNOHANG : 0)) == 0; ++i)
        (void)poll(nullptr, 0, 1);
    if (late) return "did not answer within " + std::to_string(limit_ms / 1000) + " s";
    if (ended == c->pid && WIFSIGNALED(status))
        return std::string("crashed while it was looked at: ") + strsignal(WTERMSIG(status));
    if (ended == c->pid && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return "ended this process while it was looked at, with exit code " +
               std::to_string(WEXITSTATUS(status));
    return {};
}

/// Parses findings: a byte for the level, and four zero-terminated texts.
std::vector<Finding> parse(const std::string& bytes) {
    std::vector<Finding> list;
    for (size_t at = 0; at < bytes.size();) {
        Finding f;
        f.level = Level(std::min<unsigned>(uint8_t(bytes[at++]), unsigned(Level::Wrong)));
        for (std::string* text : {&f.subject, &f.what, &f.file, &f.remedy}) {
            const size_t end = bytes.find('\0', at);
            if (end == bytes.npos) return list;  // incomplete
            *text = cleaned(bytes.substr(at, end - at));
            at = end + 1;
        }
        list.push_back(std::move(f));
    }
    return list;
}

void append_printed(const std::string& text, const char* subject, std::vector<Finding>* list) {
    unsigned lines = 0;
    for (size_t at = 0; at < text.size() && lines < kMostLines; ++lines) {
        const size_t end = std::min(text.find('\n', at), text.size());
        list->push_back({Level::Wrong, subject, "printed: " + cleaned(text.substr(at, end - at)), {}, {}});
        at = end + 1;
    }
}

}  // namespace

void Findings::add(const Finding& f) const {
    std::string bytes(1, char(f.level));
    for (const std::string* text : {&f.subject, &f.what, &f.file, &f.remedy})
        bytes.append(text->c_str()).append(1, '\0');
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t n = write(fd_, bytes.data() + at, bytes.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        at += size_t(n);
    }
}

std::vector<std::vector<Finding>> run_probes(std::span<const Probe> probes, int limit_ms) {
    std::vector<Child> children;
    for (const Probe& p : probes)
        children.push_back(start(p));
    read_all(&children, limit_ms);
    std::vector<std::vector<Finding>> out;
    for (size_t i = 0; i < children.size(); ++i) {
        const std::string end = end_of(&children[i], limit_ms);
        out.push_back(parse(children[i].bytes));
        append_printed(children[i].text, probes[i].subject, &out.back());
        if (!end.empty())
            out.back().push_back({Level::Wrong,
                                  probes[i].subject,
                                  end,
                                  {},
                                  "end, restart or replace what was asked; on a busy machine, --timeout"});
    }
    return out;
}

}  // namespace terrazzo::command
