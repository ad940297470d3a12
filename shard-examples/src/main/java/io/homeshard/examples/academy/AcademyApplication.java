package io.homeshard.examples.academy;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The Boot application. Its one DataSource is the router that the auto-configuration makes. */
@SpringBootApplication
public class AcademyApplication {}
