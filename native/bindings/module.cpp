#include "gil.hpp"

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false); // caches and threads of the host may hold our objects to the end
    m.doc() = "The native core of bitsep: counting, complexity, tests and searches.";
    bitsep::bindings::register_gil(m);
    bitsep::bindings::register_complexity(m);
    bitsep::bindings::register_kernels(m);
    bitsep::bindings::register_table(m);
    bitsep::bindings::register_tests(m);
    bitsep::bindings::register_permutation(m);
    bitsep::bindings::register_skeleton(m);
    bitsep::bindings::register_engine(m);
    bitsep::bindings::register_scores(m);
    bitsep::bindings::register_graph_search(m);
}
