import { startProgramsElsewhere } from '@attractor/system';

/** Workers of tests grow large, and then each git that they start costs more than git itself. */
startProgramsElsewhere();
