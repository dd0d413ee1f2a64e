import TroveTesting

/// The generator of random programs, for every test.
public typealias SeededGenerator = TroveTesting.SeededGenerator
