// The source file that CMake wants for a target whose only product is a precompiled header.
int main() { return 0; }
