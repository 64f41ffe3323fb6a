// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Builds and draws each shader bomb (bombs.h) through EGL and OpenGL ES, each in a process with a stack of a
// given size.
//   fuzz_bombs [--only PART_OF_A_NAME] [--stack KIB] [--scale PERCENT] [--draws N] [--print NAME]
//              [--seconds N] [--mib N]
// Prints a line for each: the result, CPU seconds of the calls that build it (of this thread), CPU seconds of
// the process, and the process' largest memory. A bomb fails if it crashes, takes more CPU seconds than
// --seconds (10) or more memory than --mib (1024), or is refused without a message. Each bomb runs twice,
// first at a quarter of its size.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fuzz/bombs.h"

namespace {

struct Options {
    std::string only, print;
    size_t stack_KiB = 8192;
    unsigned percent = 100, draws = 10, seconds = 10, mib = 1024;
};

struct Report {
    enum class State : int { None, Drawn, Refused, Failed } state = State::None;
    double build_s = 0;
    char words[200] = "";  // of the log
};

struct Job {
    const fuzz::BombTexts* texts;
    unsigned draws;
    Report report;
};

double cpu_s(clockid_t clock) {
    timespec t;
    clock_gettime(clock, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

GLuint compile(GLenum type, const std::string& text, char* words, GLsizei size) {
    const GLuint s = glCreateShader(type);
    const char* const string = text.c_str();
    const GLint length = GLint(text.size());
    glShaderSource(s, 1, &string, &length);
    glCompileShader(s);
    GLint done = 0;
    glGetShaderiv(s, GL_COMPILE_STATUS, &done);
    if (!done && !words[0]) glGetShaderInfoLog(s, size, nullptr, words);
    return s;
}

GLuint build(const fuzz::BombTexts& texts, Report* report) {
    const GLsizei size = sizeof report->words;
    const GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, texts.vertex, report->words, size));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, texts.fragment, report->words, size));
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked) return program;
    if (!report->words[0]) glGetProgramInfoLog(program, size, nullptr, report->words);
    report->state = Report::State::Refused;
    return 0;
}

void draw(GLuint program, Job* job) {
    static const GLfloat kTriangle[] = {-1, -1, 0.5f, 1, 1, -1, -0.5f, 1, -0.2f, 1.5f, 0, 1};
    glUseProgram(program);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, kTriangle);
    glEnableVertexAttribArray(0);
    for (unsigned n = 0; n < job->draws; ++n)
        glDrawArrays(GL_TRIANGLES, 0, 3);
    GLubyte pixel[4];
    glReadPixels(4, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    job->report.state = glGetError() == GL_NO_ERROR ? Report::State::Drawn : Report::State::Failed;
}

void* run(void* data) {
    Job* const job = static_cast<Job*>(data);
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                           EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 4, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    job->report.state = Report::State::Failed;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, want, &config, 1, &n) || !n)
        return nullptr;
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    const EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    if (!eglMakeCurrent(display, surface, surface, context)) return nullptr;
    const double before = cpu_s(CLOCK_THREAD_CPUTIME_ID);
    const GLuint program = build(*job->texts, &job->report);
    job->report.build_s = cpu_s(CLOCK_THREAD_CPUTIME_ID) - before;
    if (program) draw(program, job);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    return nullptr;
}

/// In the child process: runs a bomb on a stack of the given size; the report is sent through a pipe.
void child(const fuzz::BombTexts& texts, const Options& o, int pipe) {
    const rlimit cpu = {o.seconds * 4, o.seconds * 4 + 5};
    setrlimit(RLIMIT_CPU, &cpu);
    alarm(o.seconds * 20);
    Job job{&texts, o.draws, {}};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_t thread;
    if (pthread_attr_setstacksize(&attributes, o.stack_KiB * 1024) ||
        pthread_create(&thread, &attributes, run, &job))
        _exit(3);
    pthread_join(thread, nullptr);
    const bool told = write(pipe, &job.report, sizeof job.report) == ssize_t(sizeof job.report);
    std::exit(told ? 0 : 3);  // including what is done at the end of a process
}

/// Runs a bomb in a child process. False if it broke a rule.
bool explode(const fuzz::Bomb& bomb, unsigned size, const Options& o) {
    const fuzz::BombTexts texts = bomb.make(size);
    int ends[2];
    if (pipe(ends)) return false;
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) child(texts, o, ends[1]);
    close(ends[1]);
    Report r;
    const bool told = read(ends[0], &r, sizeof r) == ssize_t(sizeof r);
    close(ends[0]);
    int status = 0;
    rusage use = {};
    wait4(pid, &status, 0, &use);
    const double total_s = double(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                           double(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
    const long mib = use.ru_maxrss / 1024;
    char how[40] = "failed";
    if (WIFSIGNALED(status))
        std::snprintf(how, sizeof how, "signal %d", WTERMSIG(status));
    else if (told && r.state == Report::State::Drawn)
        std::strcpy(how, "drawn");
    else if (told && r.state == Report::State::Refused)
        std::strcpy(how, "refused");
    r.words[sizeof r.words - 1] = 0;
    r.words[std::strcspn(r.words, "\n")] = 0;
    const bool fits = total_s <= o.seconds && mib <= long(o.mib);
    const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0 && told && fits &&
                      (r.state == Report::State::Drawn || (r.state == Report::State::Refused && r.words[0]));
    std::printf("%-28s %8u  %-9s %7.2f s %7.2f s %5ld MiB  %s%s\n", bomb.name, size, how, r.build_s, total_s,
                mib, fine ? "" : "TOO MUCH  ", r.state == Report::State::Refused ? r.words : "");
    return fine;
}

bool parse(int argc, char** argv, Options* o) {
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string a = argv[i];
        const unsigned number = unsigned(std::strtoul(argv[i + 1], nullptr, 10));
        if (a == "--only")
            o->only = argv[i + 1];
        else if (a == "--print")
            o->print = argv[i + 1];
        else if (a == "--stack")
            o->stack_KiB = number;
        else if (a == "--scale")
            o->percent = number;
        else if (a == "--draws")
            o->draws = number;
        else if (a == "--seconds")
            o->seconds = number;
        else if (a == "--mib")
            o->mib = number;
        else
            return false;
    }
    return argc % 2 == 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (!parse(argc, argv, &o)) return std::fprintf(stderr, "fuzz_bombs: unknown option\n"), 2;
    setenv("TERRAZZO_GLES_VERSION", "3.0", 0);  // ESSL 3.00 needs it
    unsigned count = 0, failed = 0;
    for (const fuzz::Bomb& b : fuzz::bombs()) {
        if (o.print == b.name) std::printf("%s", b.make(b.size * o.percent / 100).fragment.c_str());
        if (!o.print.empty() || std::string_view(b.name).find(o.only) == std::string_view::npos) continue;
        for (const unsigned part : {4u, 1u}) {
            ++count;
            const auto size = unsigned(uint64_t(b.size) * o.percent / 100 / part);
            failed += !explode(b, size ? size : 1, o);
        }
    }
    if (o.print.empty()) std::printf("%u bombs, %u failed\n", count, failed);
    return failed != 0;
}
