import Testing

@Suite struct CrashTests {}
